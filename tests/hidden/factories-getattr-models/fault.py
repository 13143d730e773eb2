"""Model and optimizer come by getattr() from torchvision and torch.optim."""
import torch
from torch import nn
import torchvision

arch, rule = "squeezenet1_1", "RMSprop"
net = getattr(torchvision.models, arch)(weights=None, num_classes=4)
updates = getattr(torch.optim, rule)(net.parameters(), lr=1e-4)  # wants: XP203
net.train()
net.cuda()
images = torch.randn(6, 2, 3, 32, 32)
labels = torch.randint(4, (6, 2))
for x, y in zip(images, labels):
    loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
    updates.zero_grad()
    loss.backward()
    updates.step()
print(arch, rule, loss.item())
