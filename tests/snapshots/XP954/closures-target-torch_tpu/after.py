import time


def log(step, loss):
    print(step, loss.item())


def train(losses):
    start = time.time()
    for step, loss in enumerate(losses):
        log(step, loss)
        print(step, loss.item())
        print(loss.detach().item(), time.time() - start)
        print(f"{loss.item()}")
        print(step)
        (lambda value: print(value, value))(compute())
