import torch


class Timer:
    def __init__(self):
        self.start = torch.cuda.Event(enable_timing=True)

    def stop(self, end):
        return self.start.elapsed_time(end)


def handed(model, x, kernel):
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    kernel(x, start)
    end.record()
    while not end.query():
        pass
    return start.elapsed_time(end)


def conditional(model, x, verbose):
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    end.record()
    return start.elapsed_time(end)


class Watch:
    def elapsed_time(self, other):
        return 0


print(Watch().elapsed_time(Watch()))
