import torch
import torch.nn as nn


def main():
    torch.manual_seed(8)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data, labels = torch.randn(256, 8), torch.randn(256, 1)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    step, max_steps = 0, 20
    while step < max_steps:
        picked = torch.randint(0, 256, (16,))
        x, y = data[picked].to(device), labels[picked].to(device)
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        step += 1
    print("final loss", round(loss.item(), 4))
    return {"model": model, "optimizer": optimizer, "step": step}


if __name__ == "__main__":
    main()
