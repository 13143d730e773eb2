import time

import torch_xla.core.xla_model as xm


def log(step, loss):
    print(step, loss.item())


def train(losses):
    start = time.time()
    for step, loss in enumerate(losses):
        log(step, loss)
        print(step, loss.item())
        print(f"{loss.item()}")
        print(step)
        print(loss.detach())
        if step > 10:
            break
    for loss in losses:
        print(loss.detach().item(), time.time() - start)
    for loss in losses:
        (lambda value: print(value, value))(compute())
        xm.mark_step()
        print("step")
