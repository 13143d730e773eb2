import itertools

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(36)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,))), batch_size=16, shuffle=True)
    encoder = nn.Linear(8, 4).to(device)
    decoder = nn.Linear(4, 8).to(device)
    head = nn.Linear(4, 3).to(device)
    optimizer = torch.optim.Adam(itertools.chain(encoder.parameters(), decoder.parameters()), lr=1e-2)
    head_optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for epoch in range(4):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            code = encoder(x)
            reconstruction = nn.functional.mse_loss(decoder(code), x)
            classification = nn.functional.cross_entropy(head(code), y)
            optimizer.zero_grad()
            head_optimizer.zero_grad()
            (reconstruction + classification).backward()
            optimizer.step()
            head_optimizer.step()
        print(f"epoch {epoch}: {reconstruction.item():.4f} {classification.item():.4f}")
    return {"models": [encoder, decoder, head], "optimizers": [optimizer, head_optimizer]}


if __name__ == "__main__":
    main()
