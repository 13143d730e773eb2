import torch
import torch.nn as nn


def main():
    torch.manual_seed(28)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = torch.randn(160, 8)
    model = nn.Linear(8, 8).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    done, step = 0, 0
    try:
        for step in range(20):
            x = data[step % 10 * 16 :][:16].to(device)
            try:
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(model(x), x)
                loss.backward()
                optimizer.step()
            finally:
                done += 1
    except KeyboardInterrupt:
        print("interrupted")
    finally:
        print(f"{done} steps, last loss {loss.item():.4f}")
    return {"model": model, "optimizer": optimizer, "done": done}


if __name__ == "__main__":
    main()
