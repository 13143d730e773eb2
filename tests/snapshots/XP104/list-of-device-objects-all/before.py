import torch

for device in [torch.device("cpu")] + ([torch.device("cuda")] if torch.cuda.is_available() else []):
    print(torch.zeros(1, device=device))
