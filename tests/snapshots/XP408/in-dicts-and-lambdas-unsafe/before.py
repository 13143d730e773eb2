import torch
from torch import nn


class Reduce:
    positive = staticmethod(lambda t: t[t > 0].mean())
    every = staticmethod(lambda t: t.abs().mean())


class Loss(nn.Module):
    reduction = Reduce.positive

    def forward(self, x):
        return type(self).reduction(x)


PICK = {
    "several": lambda t: t[t > 0].mean() + t[t > 0].sum() + t[t > 0].pow(2).sum(),
    "unused": lambda t: t[t > 0].mean(),
}
model, criterion = nn.Linear(7, 1).to("xla"), Loss()
optimizer = torch.optim.Adam(model.parameters())
rows = [{"x": torch.randn(12, 7), "y": torch.randint(0, 2, (12, 1)).float()} for _ in range(15)]
for row in rows:
    batch = {key: value.to("xla") for key, value in row.items()}
    batch["places"] = batch["y"].squeeze(1) > 0.5
    batch["rows"] = [0, 1, 4]
    out = {"logits": model(batch["x"])}
    chosen = out["logits"][batch["places"]]
    loss = nn.functional.softplus(-chosen).sum() + criterion(out["logits"]) + PICK["several"](out["logits"])
    loss = loss + out["logits"][batch["rows"]].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
