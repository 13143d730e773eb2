import torch_xla.core.xla_model as xm

for i in range(2):
    print(f"CUDA:{i} ({xm.xla_device_kind()}, {xm.get_memory_info()['bytes_limit'] / (1 << 20):.0f}MiB)")
total = xm.get_memory_info()["bytes_limit"]
