import torch
import torch_xla
import torch_xla.core.xla_model as xm


def train(index):
    device = torch_xla.device()
    rank = xm.get_ordinal()
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if rank == 0:
        model(torch.zeros(1, 4).to(device)).mean().backward()
        optimizer.step()
    if xm.is_master_ordinal(local=False):
        xm.rendezvous("saved")
        total = xm.all_reduce("sum", torch.zeros(1, device=device))
        print(total)


if __name__ == "__main__":
    torch_xla.launch(train)
