import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))


def step_of(x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    return loss


# The barrier is in a function: that of the next pass runs the closure.
for epoch in range(3):
    for x in loader:
        loss = step_of(x)
        xm.add_step_closure(
            lambda epoch, loss: print(epoch, loss.item()),
            args=(epoch, loss),
            run_async=True,
        )
    torch_xla.sync()

# What reads stands in between, or saves.
for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    torch.save(model.state_dict(), "model.pt")
    xm.add_step_closure(lambda loss: print("saved", loss.item()), args=(loss,), run_async=True)
torch_xla.sync()
for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if step % 10 == 0:
        xm.add_step_closure(lambda loss: print(loss.item()), args=(loss,), run_async=True)
        torch.save(model.state_dict(), "model.pt")
torch_xla.sync()
