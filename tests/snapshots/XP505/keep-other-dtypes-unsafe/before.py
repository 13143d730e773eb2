import numpy as np
import torch


class Pool:
    def half(self, count):
        return count // 2


def run(x, pool, dtype):
    with torch.autocast("cuda", dtype=torch.float16):
        y = x * 2
    if y.dtype in (torch.float16, torch.bfloat16):
        y = y.float()
    if y.dtype == torch.float16 or y.dtype == torch.bfloat16:
        y = y.float()
    names = {torch.float16: "low", torch.bfloat16: "low", torch.float32: "high"}
    print(names[y.dtype], "torch.float16", pool.half(4))
    return np.zeros(3, dtype=np.float16), y.bfloat16(), y.to("cuda", dtype)


NAMES = {"float16": torch.float16, "float32": torch.float32, "int64": torch.int64, "bool": torch.bool}
KNOWN = [torch.float16, torch.float32, torch.uint8]


class Mixin(torch.nn.Module):
    def half(self):
        self.is_half = True
        return super().half()
