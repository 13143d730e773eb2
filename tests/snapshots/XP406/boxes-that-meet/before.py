import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(8, 4).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, wanted in DataLoader(torch.zeros(8, 8)):
    left, top, right, bottom = model(batch.to("cuda")).unbind(dim=-1)
    left_wanted, top_wanted, right_wanted, bottom_wanted = wanted.to("cuda").unbind(dim=-1)
    begins, ends = torch.max(left, left_wanted), torch.min(right, right_wanted)
    begins_above, ends_below = torch.max(top, top_wanted), torch.min(bottom, bottom_wanted)
    common = torch.zeros_like(left)
    meet = (ends > begins) & (ends_below > begins_above)
    common[meet] = (ends[meet] - begins[meet]) * (ends_below[meet] - begins_above[meet])
    loss = -common.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
