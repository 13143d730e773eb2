"""Another setting is raised, which only the report shows."""
import torch
from torch import nn

config = {"length": 4, "seen": 0, "steps": 40}
model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=config.get("lr", 1e-3))
text = torch.randint(30, (6, 64)).cuda()


def crop(ids, settings):
    return ids[:, : settings["length"]]  # never: XP401|XP404


while config["steps"] > 0:
    ids = crop(text, config)
    loss = nn.functional.cross_entropy(model(ids).transpose(1, 2), ids)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    config["seen"] += 1
    config["steps"] -= 1
print(config, loss.item())
