import torch
import torch_xla


def train(model, optimizer, loader):
    for x in loader:
        model(x).mean().backward()
        optimizer.step()  # one step
        torch_xla.sync()
        # end of the step

    # after
    print("done")
