"""The tensors of a batch dict move in a comprehension, then one is selected by a mask."""
import torch
from torch import nn

model = nn.Linear(7, 1).cuda()
optimizer = torch.optim.Adam(model.parameters())
rows = [{"x": torch.randn(12, 7), "y": torch.randint(0, 2, (12, 1)).float()} for _ in range(15)]
for row in rows:
    batch = {key: value.cuda() for key, value in row.items()}
    batch["places"] = batch["y"].squeeze(1) > 0.5
    out = {"logits": model(batch["x"])}
    chosen = out["logits"][batch["places"]]  # wants: XP408|XP412
    loss = nn.functional.softplus(-chosen).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
