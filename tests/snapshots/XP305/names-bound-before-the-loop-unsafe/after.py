import torch
import torch_xla
import torch_xla.core.xla_model as xm
from tqdm import tqdm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.zeros(64, 4).to(device)


def train(batches, epoch):
    batches = tqdm(batches)
    for x in batches:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        xm.add_step_closure(
            lambda loss: batches.set_description(f"{epoch} {len(data)} {loss.item():.3f}"),
            args=(loss,),
            run_async=True,
        )
        torch_xla.sync()


def train_long(batches):
    for epoch in range(3):
        # Another bar in each epoch, in which a line may be late.
        bar = tqdm(batches)
        for x in bar:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            xm.add_step_closure(
                lambda epoch, loss, bar: bar.set_description(f"{epoch} {loss.item():.3f}"),
                args=(epoch, loss, bar),
                run_async=True,
            )
            torch_xla.sync()


def train_twice(batches):
    bar = tqdm(batches)
    for x in bar:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        xm.add_step_closure(
            lambda loss, bar: bar.set_description(f"{loss.item():.3f}"),
            args=(loss, bar),
            run_async=True,
        )
        torch_xla.sync()
    bar = None
    return bar
