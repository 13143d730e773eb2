import torch_xla.core.xla_model as xm


def log(total, loss):
    xm.add_step_closure(print, args=(total, loss))


def train(losses, scheduler):
    total = 0
    for loss in losses:
        xm.add_step_closure(lambda: print(total, loss.item()))
        total += 1
        xm.mark_step()
    for loss in losses:
        if total > 2:
            log(total, loss)
        print("step")
    for loss in losses:
        try:
            xm.add_step_closure(print, args=(loss,))
        finally:
            scheduler.step()
    for loss in losses:
        xm.add_step_closure(print, args=(loss,))
        xm.add_step_closure(print, args=(scheduler.step(),))


train([], None)
