import jax
import torch


class Machine:
    def device_count(self):
        return 3


def device_count():
    return 2


if jax.device_count() > 1 or Machine().device_count() > 1 or device_count() > 1:
    print("torch.cuda.device_count()", torch.zeros(1))
