import json

import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def step_changed_by_the_caller(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def changed_by_the_caller(logs, seen):
    for epoch, x in enumerate(loader):
        metrics = step_changed_by_the_caller(x)
        metrics["epoch"] = epoch
        logs.append(metrics)


def step_changed_by_a_method(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def changed_by_a_method(logs, seen):
    for step, x in enumerate(loader):
        metrics = step_changed_by_a_method(x)
        if step % 10 == 0:
            metrics.update(step=step)
            print(metrics)


def step_looked_at_in_each_step(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def looked_at_in_each_step(logs, seen):
    for x in loader:
        metrics = step_looked_at_in_each_step(x)
        print(json.dumps(metrics))


def step_decided_by(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def decided_by(logs, seen):
    for x in loader:
        metrics = step_decided_by(x)
        if metrics["loss"] > 10:
            break


def step_expanded(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def expanded(logs, seen):
    for x in loader:
        seen(**step_expanded(x))


def step_computed_key(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "size": len(batch)}


def computed_key(logs, seen):
    for step, x in enumerate(loader):
        metrics = step_computed_key(x)
        if step % 10 == 0:
            print(metrics[seen])


def step_computed_key_of_a_value(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {f"{batch}/loss": loss.item(), "hits": (out > 0).sum().item()}


def computed_key_of_a_value(logs, seen):
    for step, x in enumerate(loader):
        metrics = step_computed_key_of_a_value(x)
        if step % 10 == 0:
            print(metrics)


def step_over_another(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), **batch}


def over_another(logs, seen):
    for step, x in enumerate(loader):
        metrics = step_over_another(x)
        if step % 10 == 0:
            print(metrics)


def step_handed_on(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def handed_on(logs, seen):
    for step, x in enumerate(loader):
        metrics = step_handed_on(x)
        if step % 10 == 0:
            seen(metrics)
            print(metrics["loss"])


def step_handed_on_and_kept(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def handed_on_and_kept(logs, seen):
    for step, x in enumerate(loader):
        metrics = step_handed_on_and_kept(x)
        logs.append(metrics)
        if step % 10 == 0:
            seen(metrics)


def step_by_two_names(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def by_two_names(logs, seen):
    best = None
    for step, x in enumerate(loader):
        metrics = step_by_two_names(x)
        if step % 10 == 0:
            best = metrics
    print(best)


def step_empty_at_first(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "hits": (out > 0).sum().item()}


def empty_at_first(logs, seen):
    metrics = {}
    for step, x in enumerate(loader):
        if step % 10 == 0:
            print(metrics)
        metrics = step_empty_at_first(x)


def step_more_is_done(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "text": str(out.max().item()).upper()}


def more_is_done(logs, seen):
    for step, x in enumerate(loader):
        metrics = step_more_is_done(x)
        if step % 10 == 0:
            print(metrics)


class Trainer:
    def step(self, batch):
        optimizer.zero_grad()
        out = model(batch.to(device))
        loss = out.mean()
        loss.backward()
        optimizer.step()
        self.last = {"loss": loss.item()}
        return self.last

    def train(self):
        for step, x in enumerate(loader):
            metrics = self.step(x)
            if step % 10 == 0:
                print(metrics)


def returned_differently(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    if len(batch) > 4:
        return {"loss": loss.item()}
    return {"loss": loss.item(), "most": out.max().item()}


def differently():
    for step, x in enumerate(loader):
        metrics = returned_differently(x)
        if step % 10 == 0:
            print(metrics)
