import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))


def train(limit):
    # Left before the barrier.
    for x in loader:
        loss = model(x.to(device)).mean()
        xm.add_step_closure(lambda loss: print(loss.item()), args=(loss,), run_async=True)
        if loss.shape[0] > 3:
            torch_xla.sync()
            break
        loss.backward()
        optimizer.step()
        torch_xla.sync()

    # The barrier moves behind what may leave the pass.
    for step, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        if step > limit:
            torch_xla.sync()
            continue
        if step % 10 == 0:
            xm.add_step_closure(
                lambda step, loss: print(step, loss.item()),
                args=(step, loss),
                run_async=True,
            )
            if limit == 1:
                torch_xla.sync()
                break
        xm.add_step_closure(lambda loss: print("each", loss.item()), args=(loss,), run_async=True)
        torch_xla.sync()
        if limit == 2:
            return



# Whoever gets what is yielded runs behind the barrier.
def losses():
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        xm.add_step_closure(lambda loss: print(loss.item()), args=(loss.clone(),), run_async=True)
        torch_xla.sync()
        yield loss
