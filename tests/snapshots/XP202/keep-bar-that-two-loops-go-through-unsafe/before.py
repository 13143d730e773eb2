import torch
from data import dataset
from torch.utils.data import DataLoader
from tqdm import tqdm

loader = DataLoader(dataset, batch_size=12, drop_last=True)
model = torch.nn.Linear(8, 1).to("xla")
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
for epoch in range(3):
    bar = tqdm(loader)
    for i, (images, _) in enumerate(bar):
        loss = model(images.to("xla")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        bar.set_description(f"step {i}")
    print([len(images) for images, _ in bar])
