import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

total = torch.zeros((), device=device)

# Added to in place by the next pass.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    total += loss.detach()
    xm.add_step_closure(lambda total: print(total.item()), args=(total.clone(),), run_async=True)
    torch_xla.sync()

# Changed in place at the top of the next pass.
loss = torch.zeros((), device=device)
for x in loader:
    loss.zero_()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    xm.add_step_closure(lambda loss: print(loss.item()), args=(loss.clone(),), run_async=True)
    torch_xla.sync()

# Changed in place behind the log, and behind the loop.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    mean = loss.detach() / 2
    xm.add_step_closure(lambda mean: print(mean.item()), args=(mean.clone(),), run_async=True)
    torch_xla.sync()
    mean.mul_(2)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    half = loss.detach() / 2
    xm.add_step_closure(lambda half: print(half.item()), args=(half.clone(),), run_async=True)
    torch_xla.sync()
half.mul_(2)

# A view of it.
for x in loader:
    out = model(x.to(device))
    loss = out.mean()
    first = out[0]
    loss.backward()
    optimizer.step()
    xm.add_step_closure(lambda first: print(first.item()), args=(first.clone(),), run_async=True)
    torch_xla.sync()
    out.detach().zero_()


class Trainer:
    def __init__(self):
        self.total = torch.zeros((), device=device)

    def train(self):
        for x in loader:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            self.total += loss.detach()
            xm.add_step_closure(
                lambda total: print(total.item()),
                args=(self.total.detach().clone(),),
                run_async=True,
            )
            torch_xla.sync()
