"""Uses pjrt:// as its address."""
import torch.distributed as dist

dist.init_process_group("xla", init_method="xla://")
dist.init_process_group("gloo", init_method="env://")
print("pjrt:// is old")  # init_method="pjrt://"
