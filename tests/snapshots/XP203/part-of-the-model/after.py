import torch
import torchvision


def main(device):
    model = torchvision.models.resnet18()
    model = model.to(device)
    optimizer = torch.optim.SGD(model.fc.parameters(), lr=1)
    return optimizer
