import torch
import torch_xla

config = {"device": "xla", "name": "cuda run"}
x = torch.zeros(3, device=config["device"])
