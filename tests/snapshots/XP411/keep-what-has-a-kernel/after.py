import torch
import torch.nn.functional as F
from torch import nn

device = torch.device("cuda")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Upsample(scale_factor=2)
        self.pool = nn.AvgPool2d(2)
        self.smooth = nn.UpsamplingBilinear2d(scale_factor=2)
        self.embedding = nn.Embedding(10, 4)
        self.conv = nn.Conv2d(1, 1, 1)

    def forward(self, x, options):
        x = F.interpolate(self.up(self.conv(x)), scale_factor=0.5, mode="bilinear", align_corners=False)
        x = F.interpolate(x, **options)
        x = F.max_pool2d(x, 2, 2)
        return self.smooth(self.pool(x)).flatten(1)


model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(1, 8, 8), 0)] * 64, batch_size=8)
for images, labels in batches:
    out = model(images.to(device), {"scale_factor": 2})
    target = F.one_hot(labels.to(device), 64)
    one = torch.multinomial(out.softmax(1), 1)
    top = out.topk(2).values.sort().values.cumsum(1).kthvalue(1).values
    scaled = torch.addmm(out, out @ out.t(), out).round()
    loss = F.smooth_l1_loss(out, target.float()) + scaled.logsumexp(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
