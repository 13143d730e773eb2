import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(True)
start.record()
state = torch.cuda.get_rng_state()
torch.cuda.set_rng_state(state, device)
with torch.cuda.nvtx.range("forward"):
    model(torch.ones(2, 4, device=device))
torch.cuda.empty_cache()
print(torch.cuda.max_memory_allocated(device) / 2**20, torch.cuda.memory_reserved(), torch.cuda.mem_get_info())
print(torch.cuda.get_device_name(0), torch.cuda.get_device_properties(0).total_memory, torch.cuda.current_device())
