import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr


def evaluate(model, loader, device):
    with torch.no_grad():
        return [model(x.to(device)).mean() for x in loader]


def train(index, loader):
    device = torch_xla.device()
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x in loader:
            optimizer.zero_grad()
            model(x.to(device)).mean().backward()
            xm.optimizer_step(optimizer)
            torch_xla.sync()
        if xm.is_master_ordinal():
            losses = evaluate(model, loader, device)
            print(losses)
        if epoch % 2 == 0 and xr.global_ordinal() == 0:
            evaluate(model, loader, device)


if __name__ == "__main__":
    torch_xla.launch(train, args=(load(),))
