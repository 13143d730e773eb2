import torch
import torchvision


def main(device):
    model = torchvision.models.resnet18()
    optimizer = torch.optim.SGD(model.fc.parameters(), lr=1)
    model = model.to(device)
    return optimizer
