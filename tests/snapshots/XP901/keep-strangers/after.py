"""Call xm.mark_step() after each step."""
import torch_xla  # torch_xla.core.xla_model.mark_step
from mine import xm
from mine.torch_xla import xla_model


class Trainer:
    def mark_step(self):
        self.steps += 1

    def run(self):
        self.mark_step()  # not xm.mark_step()


def f(xla_device, get_ordinal):
    return xla_device(get_ordinal())


xm.mark_step()
xla_model.xla_device()
names = ["xm.mark_step()", "torch_xla.core.xla_model.get_ordinal"]
