import torch
from scipy import ndimage
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
model.eval()
masks = []
for x in DataLoader(torch.zeros(8, 4)):
    with torch.no_grad():
        probs = torch.softmax(model(x.to(device)), dim=1)
    mask = ndimage.zoom(probs, 2)
    masks.append(mask.argmax())
print(masks)
