import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))


def train(limit):
    # Left before the barrier.
    for x in loader:
        loss = model(x.to(device)).mean()
        print(loss.item())
        if loss.shape[0] > 3:
            break
        loss.backward()
        optimizer.step()
        torch_xla.sync()

    # The barrier moves behind what may leave the pass.
    for step, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if step > limit:
            continue
        if step % 10 == 0:
            print(step, loss.item())
            if limit == 1:
                break
        print("each", loss.item())
        if limit == 2:
            return



# Whoever gets what is yielded runs behind the barrier.
def losses():
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        print(loss.item())
        yield loss
