import torch

config = {"device": "cuda", "name": "cuda run"}
x = torch.zeros(3, device=config["device"])
