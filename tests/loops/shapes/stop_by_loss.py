import torch
import torch.nn as nn


def main():
    torch.manual_seed(24)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x, y = torch.randn(64, 8).to(device), torch.randn(64, 1).to(device)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for step in range(100):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if loss.item() < 0.84:
            print(f"converged after {step + 1} steps")
            break
    return {"model": model, "optimizer": optimizer, "step": step}


if __name__ == "__main__":
    main()
