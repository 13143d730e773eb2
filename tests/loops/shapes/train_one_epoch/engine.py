import torch

import utils


def train_one_epoch(model, criterion, optimizer, data_loader, device, epoch, print_freq=4):
    model.train()
    metric_logger = utils.MetricLogger()
    for i, (image, target) in enumerate(data_loader):
        image, target = image.to(device), target.to(device)
        output = model(image)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        acc1 = utils.accuracy(output, target)
        metric_logger.update(loss=loss.item(), acc1=acc1.item())
        if i % print_freq == 0:
            print(f"Epoch: [{epoch}] {i} {metric_logger}")
    return metric_logger


def evaluate(model, criterion, data_loader, device):
    model.eval()
    metric_logger = utils.MetricLogger()
    with torch.inference_mode():
        for image, target in data_loader:
            image = image.to(device, non_blocking=True)
            target = target.to(device, non_blocking=True)
            output = model(image)
            loss = criterion(output, target)
            acc1 = utils.accuracy(output, target)
            metric_logger.update(loss=loss.item(), acc1=acc1.item())
    print(f"Test: {metric_logger}")
    return metric_logger.mean("acc1")
