import torch


def run(model, x):
    one = torch.cuda.Stream()
    two = torch.cuda.Stream()
    with torch.cuda.stream(one):
        y = model(x)
        with torch.cuda.stream(two):
            two.wait_stream(one)
            z = model(y)
        one.wait_stream(two)
    return y + z
