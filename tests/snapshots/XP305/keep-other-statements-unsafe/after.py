import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))


class Log:
    def info(self, value):
        return value.item()


log = Log()

for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    # The value is used.
    value = loss.item()
    print(value)
    # Not a logger that is known.
    log.info(loss)
    # Nothing of the device.
    print(step)
