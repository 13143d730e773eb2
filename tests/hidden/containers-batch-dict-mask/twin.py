"""The places are Python numbers, fixed for all steps."""
import torch
from torch import nn

model = nn.Linear(7, 1).cuda()
optimizer = torch.optim.Adam(model.parameters())
rows = [{"x": torch.randn(12, 7), "y": torch.randint(0, 2, (12, 1)).float()} for _ in range(15)]
for row in rows:
    batch = {key: value.cuda() for key, value in row.items()}
    batch["places"] = [0, 1, 4]
    out = {"logits": model(batch["x"])}
    chosen = out["logits"][batch["places"]]  # never: XP408|XP412
    loss = nn.functional.softplus(-chosen).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
