import json

import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def train_step(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.detach(), "lr": optimizer.param_groups[0]["lr"], "size": len(batch)}


def other_step(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return dict(loss=loss.detach(), hits=(out > 0).sum().float())


def main():
    logs, more, sizes = [], [], 0
    for step, x in enumerate(loader):
        metrics = train_step(x)
        logs.append(metrics)
        more.append(other_step(x))
        sizes += metrics["size"]
        if step % 10 == 0:
            metrics = {**metrics, "loss": metrics["loss"].item()}
            print(json.dumps(metrics))
            print(metrics["loss"], {**logs[-1], "loss": logs[-1]["loss"].item()}["loss"])
    logs = [{**metrics, "loss": metrics["loss"].item()} for metrics in logs]
    more = [{name: value.item() for name, value in metrics.items()} for metrics in more]
    with open("history.json", "w") as file:
        json.dump(logs, file)
    return logs, more, sizes


main()
