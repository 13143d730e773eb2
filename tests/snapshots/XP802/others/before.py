import torch

torch.cuda.nvtx.range_push("step")
state = torch.cuda.get_rng_state()
torch.cuda.memory._record_memory_history()
