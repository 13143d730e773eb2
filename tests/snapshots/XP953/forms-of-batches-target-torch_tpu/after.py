import torch
import torch_xla
from torch.utils.data import DataLoader
from tqdm import tqdm

device = torch_xla.device()


def train(model, loader):
    for image, label in loader:
        image = image.to(device)
        label = label.to(device)
        # the forward pass
        loss = (model(image) - label).sum()
    for step, batch in enumerate(tqdm(loader)):
        batch = {k: v.to(device) for k, v in batch.items()}
        loss = model(batch["input"], **batch)
    for batch in loader:
        batch = [part.to(device) for part in batch]
        image, label = batch
        loss = model(image)
    for image, _ in loader:
        image = image.to(device)
        loss = model(image)
    for (image, label) in loader:
        image = image.to(device)
        label = label.to(device)
        loss = model(image) + label
    for batch in loader:
        batch = {k: v.to(device) if torch.is_tensor(v) else v for k, v in batch.items()}
        print(batch["name"], batch["image"].sum())
    for images, _ in loader:
        images = images.to(device)
        print([image.mean() for image in images], images.shape)
    for images, _ in loader:
        images = [part.to(device) for part in images]
        print([image.mean() for image in images])
    for image, label in loader:
        image = image.to(device)
        label = label.to(device)
        print(image)
    print(label)
