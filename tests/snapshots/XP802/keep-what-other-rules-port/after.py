import torch

torch.cuda.empty_cache()
torch.cuda.manual_seed_all(0)
torch.cuda.synchronize()
torch.cuda.reset_peak_memory_stats()
if torch.cuda.is_available():
    print("yes")
