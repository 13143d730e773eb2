import accelerate
from accelerate import Accelerator

accelerator = Accelerator(
    mixed_precision="fp16",  # half the memory
    dynamo_backend="inductor",
)
other = accelerate.Accelerator(mixed_precision=("fp16"))
