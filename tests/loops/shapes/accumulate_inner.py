import torch
import torch.nn as nn

gradient_accumulation_steps, batch_size, max_iters = 3, 8, 16
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(33)
data = torch.randn(256, 8)


def get_batch():
    ix = torch.randint(len(data), (batch_size,))
    x = torch.stack([data[i] for i in ix])
    return x.to(device), x.flip(1).to(device)


model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))
model.to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, betas=(0.9, 0.95))
X, Y = get_batch()
iter_num = 0
while True:
    for micro_step in range(gradient_accumulation_steps):
        loss = nn.functional.mse_loss(model(X), Y)
        loss = loss / gradient_accumulation_steps
        X, Y = get_batch()
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if iter_num % 5 == 0:
        lossf = loss.item() * gradient_accumulation_steps
        print(f"iter {iter_num}: loss {lossf:.4f}")
    iter_num += 1
    if iter_num > max_iters:
        break
