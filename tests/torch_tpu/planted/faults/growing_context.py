# planted: recompile, host-read@there
# says: longer every time
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)

model = nn.Sequential(nn.Embedding(32, 8), nn.Linear(8, 32)).to(device)
context = torch.zeros(1, 1, dtype=torch.long, device=device)
with torch.no_grad():
    for _ in range(20):
        scores = model(context)  # <- here
        chosen = scores[:, -1].argmax(-1, keepdim=True)
        context = torch.cat([context, chosen], 1)
        if chosen.item() == 99:  # <- there
            break
print(context.shape)
