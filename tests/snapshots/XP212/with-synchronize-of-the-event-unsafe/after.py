import time
import torch_xla
import torch_xla.core.xla_model as xm


def measure(model, x):
    torch_xla.sync()
    xm.wait_device_ops()
    begin = time.perf_counter()
    model(x)
    torch_xla.sync()
    xm.wait_device_ops()
    end = time.perf_counter()
    seconds = 1e-3 * ((end - begin) * 1000)
    return seconds
