import torch_xla.core.xla_model as xm

print(f"[{xm.get_ordinal()}/{xm.xrt_world_size()}] on {xm.xla_device()}: {xm.get_ordinal() + 1:>4}")
print(f"{xm.get_ordinal(defval=0)}")
print(f"xm.get_ordinal() is {xm.get_ordinal()}")
