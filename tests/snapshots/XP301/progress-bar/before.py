import torch
from tqdm import tqdm

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
bar = tqdm(torch.utils.data.DataLoader([]))
for x in bar:
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    bar.set_postfix(loss=loss.item())
