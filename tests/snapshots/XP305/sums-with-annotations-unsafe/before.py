import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8)


def by_windows():
    # The name gets another value right behind the log.
    total = 0
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        torch_xla.sync()
        if i % 3 == 2:
            print(total.item() / 3)
            total: torch.Tensor | int = 0


def begun_in_the_pass():
    # Each pass begins with a number, and adds to that.
    for x in loader:
        total: torch.Tensor | int = 0
        for part in x.to(device).chunk(2):
            total += model(part).mean()
        total.backward()
        optimizer.step()
        torch_xla.sync()
        print(total.item())
