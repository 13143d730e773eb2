from torch import nn

from mine import Accelerator


class Prepares:
    def prepare(self, *things):
        return things


accelerator = Accelerator(mixed_precision="fp16", dynamo_backend="inductor")
model = accelerator.prepare(nn.Linear(4, 1))
text = "accelerate.Accelerator(mixed_precision='fp16')"
