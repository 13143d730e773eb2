import torch

x = torch.randn(64, 100)
y = torch.randn(64, 10)
weights = torch.randn(100, 10, requires_grad=True)
optimizer = torch.optim.SGD([weights], lr=1e-6)
if __name__ == "__main__":
    for step in range(5):
        loss = (x.mm(weights) - y).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
