import torch

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    print(loss)
    print(f"loss {loss:.3f}")
    print("loss %f" % loss)
    print("loss {}".format(loss))
