import torch
import torch.profiler
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
start, end = torch.Event(enable_timing=True), torch.cuda.Event(True)
start.record()
state = torch.tpu.default_generators[0].get_state()
torch.tpu.default_generators[0].set_state(state)
with torch.profiler.record_function("forward"):
    model(torch.ones(2, 4, device=device))
torch.accelerator.empty_cache()
print(torch.accelerator.max_memory_allocated() / 2**20, torch.accelerator.memory_reserved(), torch.accelerator.get_memory_info())
print(torch.tpu.get_device_name(), torch.tpu.get_device_properties().total_memory, torch.accelerator.current_device_index())
