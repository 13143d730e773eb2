import torch
import torch.distributed as dist

device = torch.device("xla")
x = torch.zeros(2).to("xla:0")
with torch.autocast("xla", dtype=torch.bfloat16):
    x = x + 1
if x.device.type == "xla" or device.type in ("xla", "cuda"):
    print("on a TPU")
dist.init_process_group("xla", init_method="xla://")
dist.init_process_group(backend="xla", rank=0)
step = torch.compile(torch.sin, backend="openxla", fullgraph=True)


def run(device="xla"):
    if device == "xla":
        print("slowly")
    return torch.zeros(2, device=device)


index = 0
z = torch.zeros(2, device=f"xla:{index}")
print(f"xla:{index}")
