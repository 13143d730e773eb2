import torch

device = torch.device("cuda", torch.cuda.current_device())
