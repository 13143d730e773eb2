import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl

device = torch_xla.device()
half = torch.bfloat16


def train(model, loader):
    for image, label in pl.MpDeviceLoader(loader, device):
        image = image.to(torch.bfloat16)
        label = label.to(dtype=torch.long)
        loss = (model(image) - label).sum()
    for image, label in pl.MpDeviceLoader(loader, device):
        image = image.to(half)
        label = label.to(device, dtype=half)
        loss = (model(image) - label).sum()
    for image, label in pl.MpDeviceLoader(loader, device):
        if label.sum() > 1:
            label = label.to(device)
        image = model.to(device)(image)
        loss = (image - label).sum()
    for image, label in pl.MpDeviceLoader(loader, device):
        loss = (model(image.to(device)) - label.to(device)).sum()
    for batch in pl.MpDeviceLoader(loader, device):
        batch["image"] = batch["image"].to(device)
        loss = model(batch["image"]) - batch["label"]
    for batch in pl.MpDeviceLoader(loader, device):
        batch = {k: v.to(device) for k, v in batch.items()}
        loss = model(**batch)
    for image, targets in pl.MpDeviceLoader(loader, device):
        image = image.to(device)
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        loss = model(image, targets)
