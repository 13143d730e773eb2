import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    loss = model(x.to(device)).mean()
    xm.add_step_closure(lambda loss: print(loss), args=(loss,), run_async=True)
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
    count += 1

    def log(count, loss):
        print("step", count)
        print("loss", loss)

    xm.add_step_closure(log, args=(count, loss), run_async=True)
    torch_xla.sync()
    torch.save(loss.cpu(), "loss.pt")
    print("saved", loss)
