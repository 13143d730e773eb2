import torch

model = torch.nn.Linear(8, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
shown = None
for step, x in enumerate(torch.randn(100, 4, 8)):
    loss = model(x.to("xla")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if torch.isnan(loss) and step % 100 == 0:
        raise RuntimeError("asked before the number of the step")
    if step % 100 == 0 or torch.isnan(loss):
        print("asked in the other steps", step)
    if step % 100 and torch.isnan(loss):
        print("asked in the other steps", step)
    shown = shown if step % 10 == 0 else loss.item()
print(shown)
