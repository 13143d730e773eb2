import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    loss = model(x.to(device)).mean()
    print(loss)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()

# What the barrier may come behind; and what stands in its way.
count = 0
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    loss = model(x.to(device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    count += 1
    print("step", count)
    print("loss", loss)
    torch.save(loss.cpu(), "loss.pt")
    print("saved", loss)
