import torch
import torch_xla

torch.cuda.memory._record_memory_history()
print(torch.ones(3).to(torch_xla.device()).sum().item())
