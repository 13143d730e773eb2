import torch

if torch.cuda.is_available():  # fast path
    print(1)
    # between
    print(2)
    # at the end
print(3)
