import torch
from .apex import amp
from mylib import triton
from mylib.deepspeed import engine

apex = {"x": 1}
print(apex["x"], triton, amp, engine, "import apex")
