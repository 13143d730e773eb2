import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr


def train(index, loader):
    device = torch_xla.device()
    rank = xr.global_ordinal()
    model = torch.nn.Linear(4, 4).to(device)
    extra = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD([*model.parameters(), *extra.parameters()], lr=0.1)
    for x in loader:
        output = model(x.to(device))
        loss = output.mean()
        if rank == 0:
            loss = loss + extra(output).mean()
        loss.backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()


if __name__ == "__main__":
    torch_xla.launch(train, args=(load(),))
