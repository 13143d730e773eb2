import torch
from net import Net

if __name__ == "__main__":
    model = Net.pretrained().to("cuda")
    row = torch.zeros(1, 4).to("cuda")
    codes = torch.zeros(64, 4, device=row.device)
    scores = torch.zeros(1, 64)
    kept = None
    for i in range(64):
        with torch.no_grad():
            scores[:, i], kept = model(row, kept)
        row = codes[i : i + 1] + 1
    print(scores)
