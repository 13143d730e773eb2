import torch
from data import dataset
from torch.utils.data import DataLoader
from tqdm import tqdm

loader = DataLoader(dataset, batch_size=12, shuffle=True)
model = torch.nn.Linear(8, 1).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
for epoch in range(3):
    bar = tqdm(loader)
    for i, (images, _) in enumerate(bar):
        loss = model(images.cuda()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
