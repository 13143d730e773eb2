import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

model = torch.compile(torch.nn.Linear(4, 4).to(torch.accelerator.current_accelerator()))
with torch.inference_mode(), sdpa_kernel(SDPBackend.MATH), torch.random.fork_rng():
    model(torch.ones(2, 4, device=torch.accelerator.current_accelerator()))
torch.accelerator.synchronize()
torch.accelerator.empty_cache()
print(torch.accelerator.max_memory_allocated(), torch.get_float32_matmul_precision())
