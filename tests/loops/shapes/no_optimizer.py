import torch
import torch.nn as nn


def main():
    torch.manual_seed(71)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data, target = torch.randn(160, 8), torch.randn(160, 1)
    model = nn.Linear(8, 1).to(device)
    learning_rate = 0.05
    for step in range(20):
        part = slice(step % 10 * 16, step % 10 * 16 + 16)
        loss = nn.functional.mse_loss(model(data[part].to(device)), target[part].to(device))
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for param in model.parameters():
                param -= learning_rate * param.grad
        if step % 5 == 4:
            print(step, f"{loss.item():.4f}")
    return {"model": model}


if __name__ == "__main__":
    main()
