import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, inputs):
        img_batch, annotations = inputs
        out = self.fc(img_batch)
        return torch.min(out, annotations).mean()


def collater(data):
    return {"img": torch.stack(data), "annot": torch.ones(len(data), 4)}


retinanet = Net()
if torch.cuda.is_available():
    retinanet = retinanet.cuda()
if torch.cuda.is_available():
    retinanet = torch.nn.DataParallel(retinanet).cuda()
else:
    retinanet = torch.nn.DataParallel(retinanet)
optimizer = torch.optim.Adam(retinanet.parameters(), lr=1e-5)
for iter_num, data in enumerate(DataLoader(torch.randn(16, 4), batch_size=2, collate_fn=collater, drop_last=True)):
    try:
        optimizer.zero_grad()
        if torch.cuda.is_available():
            loss = retinanet([data["img"].cuda().float(), data["annot"]])
        else:
            loss = retinanet([data["img"].float(), data["annot"]])
        loss.backward()
        optimizer.step()
    except Exception as e:
        print(e)
        continue
