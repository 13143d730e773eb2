import torch

dtype = torch.float16 if torch.cuda.is_available() else torch.float32
