import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

for x in loader:
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    xm.mark_step()

for x in loader:
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())

for x in loader:
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    if True:
        # Not a statement of the loop's own body: for a human.
        xm.mark_step()
    xm.optimizer_step(optimizer, barrier=True)
