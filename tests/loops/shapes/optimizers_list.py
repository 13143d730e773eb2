import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(82)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,))), batch_size=16, shuffle=True)
    body, head = nn.Linear(8, 8).to(device), nn.Linear(8, 3).to(device)
    optimizers = [
        torch.optim.SGD(body.parameters(), lr=0.05, momentum=0.9),
        torch.optim.AdamW(head.parameters(), lr=0.01),
    ]
    for epoch in range(4):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            for opt in optimizers:
                opt.zero_grad()
            loss = nn.functional.cross_entropy(head(torch.relu(body(x))), y)
            loss.backward()
            for opt in optimizers:
                opt.step()
        print(f"epoch {epoch}: {loss.item():.4f}")
    return {"body": body, "head": head, "optimizers": optimizers}


if __name__ == "__main__":
    main()
