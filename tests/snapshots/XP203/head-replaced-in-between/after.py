import torch
import torchvision


def main(device):
    model = torchvision.models.resnet18()
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    model.fc = torch.nn.Linear(512, 10)
    model = model.to(device)
    return optimizer
