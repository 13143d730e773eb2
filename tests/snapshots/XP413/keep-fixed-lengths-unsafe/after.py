import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, DataCollatorWithPadding

PAD = 0
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")


def to_length(batch, length=64):
    return nn.functional.pad(batch, (0, length - batch.size(1)), value=PAD)


def collate(batch):
    batch = to_length(pad_sequence([torch.tensor(x) for x in batch], batch_first=True, padding_value=PAD))
    print("the longest has", max(len(x) for x in batch))
    return batch


def tokenized(texts):
    fixed = tokenizer(texts, padding="max_length", max_length=64, return_tensors="pt")
    rounded = tokenizer(texts, padding=True, pad_to_multiple_of=8, return_tensors="pt")
    none = tokenizer(texts, padding=False)
    return fixed, rounded, none


def report(rows):  # no batch of a loader
    width = max(len(row) for row in rows)
    return [row + [" "] * (width - len(row)) for row in rows], pad_sequence([torch.tensor(r) for r in rows])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 1, 3, padding=True)


device = torch.device("cuda")
model = nn.Embedding(100, 8, padding_idx=PAD).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader([[3, 4], [5]] * 32, batch_size=8, collate_fn=collate)
others = DataLoader(["a", "b"], batch_size=2, collate_fn=tokenized)
more = DataLoader(["a"], collate_fn=DataCollatorWithPadding(tokenizer, padding="max_length", max_length=64))
rounded = DataLoader(["a"], collate_fn=DataCollatorWithPadding(tokenizer, pad_to_multiple_of=64))
for ids in loader:
    ids = ids.to(device)
    loss = (model(ids) * (ids != PAD)[..., None]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    chosen = [[1, 2], [3]]
    most = max(len(c) for c in chosen)
    missing = [most - len(c) for c in chosen]  # no padding
    print(missing)
