import torch
import torch.distributed as dist

device = torch.device("tpu")
x = torch.zeros(2).to("tpu")
with torch.autocast("tpu", dtype=torch.bfloat16):
    x = x + 1
if x.device.type == "tpu" or device.type in ("tpu", "cuda"):
    print("on a TPU")
dist.init_process_group("tpu_dist")
dist.init_process_group(backend="tpu_dist", rank=0)
step = torch.compile(torch.sin, fullgraph=True)


def run(device="tpu"):
    if device == "tpu":
        print("slowly")
    return torch.zeros(2, device=device)


index = 0
z = torch.zeros(2, device="tpu")
print(f"xla:{index}")
