import torch
import torch.nn as nn


def get_batches(x, y, batch_size, device):
    order = torch.randperm(len(x))
    for start in range(0, len(x), batch_size):
        picked = order[start : start + batch_size]
        yield x[picked].to(device), y[picked].to(device)


def main():
    torch.manual_seed(10)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    inputs, targets = torch.randn(96, 8), torch.randint(0, 4, (96,))
    model = nn.Linear(8, 4).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(4):
        losses = []
        for x, y in get_batches(inputs, targets, 16, device):
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
