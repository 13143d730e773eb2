import torch

scaler = torch.amp.GradScaler("cpu")
other = torch.GradScaler(device="cpu", init_scale=2.0)
off = torch.cuda.amp.GradScaler(2.0, 2.0, 0.5, 2000, False)
