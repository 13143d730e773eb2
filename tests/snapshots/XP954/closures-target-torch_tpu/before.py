import time

import torch_xla.core.xla_model as xm


def log(step, loss):
    print(step, loss.item())


def train(losses):
    start = time.time()
    for step, loss in enumerate(losses):
        xm.add_step_closure(log, args=(step, loss), run_async=True)
        xm.add_step_closure(lambda step, loss: print(step, loss.item()), args=(step, loss))
        xm.add_step_closure(lambda loss: print(f"{loss.item()}"), args=(loss,))
        xm.add_step_closure(lambda: print(step))
        xm.add_step_closure(lambda loss: print(loss), args=(loss.detach(),))
        if step > 10:
            break
    for loss in losses:
        xm.add_step_closure(
            lambda loss, now: print(loss.item(), now - start),
            args=(loss.detach(), time.time()),
        )
    for loss in losses:
        xm.add_step_closure(lambda value: print(value, value), args=(compute(),))
        xm.mark_step()
        print("step")
