import torch
import torchvision
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)


def choose(prediction, limit=0.25):
    likely = prediction[..., 4] > limit
    found = []
    for i, x in enumerate(prediction):
        x = x[likely[i]]
        x = x[x[:, 5] > 0]
        kept = torchvision.ops.batched_nms(x[:, :4], x[:, 4], x[:, 6], 0.5)
        found.append(x[kept])
    return found


def likeliest(prediction, limit=0.25):
    likely = prediction[..., 4] > limit
    return torch.stack(sorted(prediction[likely]))


@torch.no_grad()
def test(loader):
    for images in loader:
        out = model(images.to(device))
        print(len(choose(out)), likeliest(out))
