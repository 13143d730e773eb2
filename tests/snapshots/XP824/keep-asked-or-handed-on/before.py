import torch

asked = torch.cuda.Stream()
handed = torch.cuda.Stream()
several = torch.cuda.Stream()


def run(model, x, kernel, given, file):
    with torch.cuda.stream(asked):
        y = model(x)
    if asked.query():
        print("done")
    kernel(y, handed.cuda_stream)
    with torch.cuda.stream(several), open(file) as lines:
        y = model(len(lines.read()))
    with torch.cuda.stream(given):
        y = y + 1
    y.record_stream(given)
    return y
