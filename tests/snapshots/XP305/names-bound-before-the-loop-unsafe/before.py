import torch
import torch_xla
from tqdm import tqdm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.zeros(64, 4).to(device)


def train(batches, epoch):
    batches = tqdm(batches)
    for x in batches:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        batches.set_description(f"{epoch} {len(data)} {loss.item():.3f}")


def train_long(batches):
    for epoch in range(3):
        # Another bar in each epoch, in which a line may be late.
        bar = tqdm(batches)
        for x in bar:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            bar.set_description(f"{epoch} {loss.item():.3f}")


def train_twice(batches):
    bar = tqdm(batches)
    for x in bar:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        bar.set_description(f"{loss.item():.3f}")
    bar = None
    return bar
