import torch

model = torch.nn.Linear(4, 2).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate([torch.rand(8, 4)] * 100):
    y = model(x.to("cuda"))
    loss = y.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        shown = y.detach().clone()
        shown[shown < 0] -= 1
        print(shown)
