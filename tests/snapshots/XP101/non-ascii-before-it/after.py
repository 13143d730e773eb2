import torch_xla

名前, device = "größe", torch_xla.device()
