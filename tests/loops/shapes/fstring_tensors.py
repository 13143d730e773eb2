import torch
import torch.nn as nn


def main():
    torch.manual_seed(58)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data, target = torch.randn(160, 8), torch.randn(160, 1)
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(20):
        x = data[step % 10 * 16 : step % 10 * 16 + 16].to(device)
        y = target[step % 10 * 16 : step % 10 * 16 + 16].to(device)
        prediction = model(x)
        loss = nn.functional.mse_loss(prediction, y)
        if step % 5 == 0:
            print(f"step {step}: loss {loss:.4f}, mean prediction {prediction.mean():.4f}")
            print(loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
