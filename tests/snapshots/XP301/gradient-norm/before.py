import torch

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    loss = model(x).mean()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    print(norm.item())
