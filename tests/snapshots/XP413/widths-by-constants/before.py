import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

SLOTS = 32


def one_hot_rows(spans):
    rows = torch.zeros((len(spans), SLOTS))
    for i, (start, end) in enumerate(spans):
        rows[i, start:end] = 1
    return rows / rows.sum(-1, keepdim=True)


class Phrases(Dataset):
    def __init__(self, spans):
        self.spans = spans

    def __len__(self):
        return len(self.spans)

    def __getitem__(self, i):
        spans = self.spans[i]
        item = {"rows": one_hot_rows(spans).float(), "marks": torch.ones(2, len(spans)), "empty": torch.zeros(0)}
        if i == 0:
            item["rows"] = torch.zeros(1, 32)
        return item


def collate(items):
    width = max(item["rows"].shape[1] for item in items)
    rows = torch.zeros(len(items), 8, width)
    for i, item in enumerate(items):
        rows[i, : len(item["rows"]), : item["rows"].shape[1]] = item["rows"]
    length = max([item["marks"].size(1) for item in items])
    marks = torch.zeros(len(items), 2, length)
    for i, item in enumerate(items):
        marks[i, :, : item["marks"].size(1)] = item["marks"]
    return {"rows": rows, "marks": marks}


model = nn.Linear(32, 2).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in DataLoader(Phrases([[(0, 2)], [(1, 3), (4, 6)]]), batch_size=2, collate_fn=collate, drop_last=True):
    loss = model(batch["rows"].cuda()).sum() * batch["marks"].cuda().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
