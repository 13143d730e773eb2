import torch


def train(model, optimizer, loader):
    for x in loader:
        model(x).mean().backward()
        optimizer.step()  # one step
        # end of the step

    # after
    print("done")
