import torch
import torch_xla
from torch import nn

device = "cuda"
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def get_batch():
    x = torch.randn(4, 8)
    return x.to(device), x.sum(1, keepdim=True).to(device)


x, y = get_batch()
for step in range(100):
    for micro_step in range(8):
        with torch.autocast("cuda", torch.bfloat16):
            loss = nn.functional.mse_loss(model(x), y)
            loss = loss / 8
        x, y = get_batch()
        loss.backward()
        torch_xla.sync()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    torch_xla.sync()
    if step % 10 == 0:
        print(step, loss.item() * 8)
