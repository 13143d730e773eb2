import torch
import torch.nn as nn


def get_batch(data, size):
    picked = torch.randint(0, len(data), (size,))
    return data[picked]


def main():
    torch.manual_seed(9)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = torch.randn(128, 8)
    model = nn.Sequential(nn.Linear(8, 3), nn.ReLU(), nn.Linear(3, 8)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    iter_num = 0
    while True:
        x = get_batch(data, 16).to(device)
        loss = nn.functional.mse_loss(model(x), x)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if iter_num % 6 == 0:
            lossf = loss.item()
            print(f"iter {iter_num}: loss {lossf:.4f}")
        iter_num += 1
        if iter_num > 20:
            break
    return {"model": model, "optimizer": optimizer, "lossf": lossf}


if __name__ == "__main__":
    main()
