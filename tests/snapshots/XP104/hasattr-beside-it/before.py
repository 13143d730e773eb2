import torch

if hasattr(torch, "cuda") and torch.cuda.is_available():
    print("fast")
bf16 = torch.cuda.is_available() and hasattr(torch.cuda, "is_bf16_supported") and torch.cuda.is_bf16_supported()
