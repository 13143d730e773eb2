import accelerate
from accelerate import Accelerator

accelerator = Accelerator(
    mixed_precision="bf16",  # half the memory
)
other = accelerate.Accelerator(mixed_precision=("bf16"))
