import torch

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
seen = 0
for i, (x, y) in enumerate(torch.utils.data.DataLoader([])):
    lengths = torch.tensor([1, 2])
    print(i, x.shape, x.size(0), len(x), lengths.max().item(), x.dtype)
    seen += x.numel()
    if x.ndim == 2:
        loss = model(x).mean()
    loss.backward()
    optimizer.step()
