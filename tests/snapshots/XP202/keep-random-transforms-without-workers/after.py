import torch
import torch_xla
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
flip = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
loader = DataLoader(datasets.CIFAR10("data", transform=flip), batch_size=4)
for x, y in loader:
    x, y = x.to(device), y.to(device)
    (model(x) - y).mean().backward()
    optimizer.step()
