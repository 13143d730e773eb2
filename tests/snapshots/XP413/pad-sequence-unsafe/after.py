import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD, BOS = 0, 1


def pad_to_bucket(batch, dim, value, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """Pad a batch to the next of a few lengths: each length that batches have is a graph to compile."""
    length = batch.size(dim)
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    shape = list(batch.shape)
    shape[dim] = next((bucket for bucket in buckets if bucket >= length), doubled) - length
    return torch.cat([batch, batch.new_full(shape, value)], dim)


# Pairs of sentences as a batch.
def collate(pairs):
    sources = pad_to_bucket(pad_sequence([torch.tensor(s) for s, _ in pairs], batch_first=True, padding_value=PAD), 1, PAD)
    targets = pad_to_bucket(pad_sequence([torch.tensor(t) for _, t in pairs], padding_value=PAD), 0, PAD)
    return sources, targets


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8, padding_idx=PAD)
        self.layer = nn.TransformerEncoderLayer(8, 2, batch_first=True)
        self.out = nn.Linear(8, 100)

    def forward(self, source):
        return self.out(self.layer(self.embed(source), src_key_padding_mask=source == PAD))


device = torch.device("cuda")
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader([([3, 4], [5]), ([3], [4, 5])] * 32, batch_size=8, collate_fn=collate)
for source, target in loader:
    source, target = source.to(device), target.t().to(device)
    out = model(source)[:, : target.size(1)]
    loss = nn.functional.cross_entropy(out.flatten(0, 1), target.flatten(), ignore_index=PAD)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
