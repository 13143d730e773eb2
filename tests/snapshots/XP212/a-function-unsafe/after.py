import time
import torch_xla
import torch_xla.core.xla_model as xm


def measure(model, x):
    torch_xla.sync()
    xm.wait_device_ops()
    start = time.perf_counter()
    y = model(x)
    # the work is noted
    torch_xla.sync()
    xm.wait_device_ops()
    end = time.perf_counter()
    print((end - start) * 1000, "ms")
    return y, (end - start) * 1000 / 1000
