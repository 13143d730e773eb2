import torch
from torch import nn
from torchvision import utils


def save(image, name):
    image = ((image + 1) / 2).clamp(0, 1)
    utils.save_image(image.cpu(), name)


model = nn.Conv2d(3, 3, 3).cuda().eval()
with torch.no_grad():
    for i, x in enumerate(torch.utils.data.DataLoader(torch.zeros(8, 3, 8, 8), batch_size=4, drop_last=True)):
        y = model(x.cuda())
        save(y, f"{i}.png")
