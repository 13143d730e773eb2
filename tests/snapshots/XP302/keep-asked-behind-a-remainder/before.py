import torch
import torch_xla

model = torch.nn.Linear(8, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(torch.randn(100, 4, 8)):
    loss = model(x.to("xla")).mean()
    if step % 100 == 0 and torch.isnan(loss):
        raise RuntimeError("no number")
    if step % 100 == 0:
        value = loss.item()
        for group in optimizer.param_groups:
            group["lr"] = 0.1 / (1 + value)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
