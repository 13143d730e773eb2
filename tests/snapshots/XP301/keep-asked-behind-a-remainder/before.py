import torch

model = torch.nn.Linear(8, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
shown = None
for step, x in enumerate(torch.randn(100, 4, 8)):
    loss = model(x.to("xla")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0 and torch.isnan(loss):
        raise RuntimeError("no number")
    if (step == 3 or step % 50 == 0) and loss.item() > 10:
        print("large", step)
    assert step % 20 != 0 or loss.item() < 1e6
    assert step % 20 or loss.item() < 1e6
    shown = loss.item() if step % 10 == 0 else shown
print(shown)
