import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
if device == "cuda":
    print("fast")
if device in ("cuda", "mps"):
    print("faster")
if "cuda" in device:
    print("fastest")
x = torch.zeros(3).to(device)
