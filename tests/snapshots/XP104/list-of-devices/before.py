import torch

for device in ["cpu"] + (["cuda"] if torch.cuda.is_available() else []):
    print(torch.zeros(1, device=device))
DEVICES = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
