"""The batch sizes of a packed sequence lie on the host, wherever its elements lie: asking them reads nothing."""

import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence


class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 4)

    def forward(self, input, scores=None):
        if not isinstance(input, PackedSequence):
            raise TypeError("packed input only")
        input, batch_sizes, sorted_indices, unsorted_indices = input
        rows = int(batch_sizes[0])
        state = torch.zeros(rows, 4, device=input.device)
        outputs, begin = [], 0
        for size in batch_sizes:
            state = self.cell(input[begin : begin + size], state[:size])
            outputs.append(state)
            begin += size
        return PackedSequence(torch.cat(outputs), batch_sizes, sorted_indices, unsorted_indices)


class Evolution(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        if kind == "GRU":
            self.rnn = nn.GRU(4, 4, batch_first=True)
        else:
            self.rnn = Weighted()

    def forward(self, x, scores, lengths):
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        if self.kind == "GRU":
            out, _ = self.rnn(packed)
        else:
            weights = pack_padded_sequence(scores, lengths.cpu(), batch_first=True, enforce_sorted=False)
            out = self.rnn(packed, weights)
        return pad_packed_sequence(out, batch_first=True)[0]


model = Evolution("AUGRU").cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(9):
    loss = model(torch.zeros(2, 3, 4).cuda(), torch.zeros(2, 3).cuda(), torch.tensor([3, 2])).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
