import torch

if torch.cuda.is_available():
    from apex import amp
else:
    amp = None
