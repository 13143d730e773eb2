import torch


class Own:
    cuda = 1


print(getattr(Own, "cuda"), hasattr(torch.Tensor, "cpu"), getattr(torch, "float32"), getattr(torch.nn, "ReLU"))
print("exec torch.cuda", {"cuda": 1}["cuda"])
