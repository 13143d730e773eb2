import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def nt_xent(a, b, temperature=0.5):
    z = F.normalize(torch.cat([a, b]), dim=1)
    similarity = z @ z.t() / temperature
    similarity = similarity - 1e9 * torch.eye(z.size(0), device=z.device)
    n = a.size(0)
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device)
    return F.cross_entropy(similarity, target)


def main():
    torch.manual_seed(54)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    base = torch.randn(96, 8)
    views = TensorDataset(base + 0.1 * torch.randn(96, 8), base + 0.1 * torch.randn(96, 8))
    loader = DataLoader(views, batch_size=16, shuffle=True, drop_last=True)
    encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8)).to(device)
    optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)
    for epoch in range(4):
        total_loss, total_num = 0.0, 0
        for view1, view2 in loader:
            view1, view2 = view1.to(device), view2.to(device)
            loss = nt_xent(encoder(view1), encoder(view2))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total_num += view1.size(0)
            total_loss += loss.item() * view1.size(0)
        print(f"epoch {epoch}: {total_loss / total_num:.4f}")
    return {"encoder": encoder, "optimizer": optimizer}


if __name__ == "__main__":
    main()
