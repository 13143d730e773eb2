# planted: recompile
# says: f32[
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)


class Lengths(torch.utils.data.IterableDataset):
    def __iter__(self):
        for number in range(14):
            yield torch.randn(3 + number * number % 11 + number, 8)


for rows in torch.utils.data.DataLoader(Lengths(), batch_size=None, pin_memory=True):
    rows = rows.to(device, non_blocking=True)
    hidden = model[1](model[0](rows))  # <- here
    loss = model[2](hidden).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
