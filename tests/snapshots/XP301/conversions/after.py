import torch

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
losses = []
for x in torch.utils.data.DataLoader([]):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    losses.append(float(loss))
    a = loss.detach().cpu().numpy()
    b = loss.tolist()
    c = int(loss > 3)
