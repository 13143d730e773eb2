import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(12, 8)
        self.rnn = nn.GRU(8, 8, batch_first=True)
        self.head = nn.Linear(8, 12)

    def forward(self, x, h):
        out, h = self.rnn(self.embed(x), h)
        return self.head(out), h


def main():
    torch.manual_seed(64)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    text = torch.randint(0, 12, (4, 6 * 4 + 1))
    model = CharRNN().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(4):
        hidden = torch.zeros(1, 4, 8).to(device)
        epoch_loss = 0
        for i in range(0, text.size(1) - 1, 4):
            x, y = text[:, i : i + 4].to(device), text[:, i + 1 : i + 5].to(device)
            hidden = hidden.detach()
            logits, hidden = model(x, hidden)
            loss = nn.functional.cross_entropy(logits.transpose(1, 2), y)
            model.zero_grad()
            loss.backward()
            optimizer.step()
            epoch_loss += loss.detach().item()
        print(f"epoch {epoch}: {epoch_loss / 6:.4f}")
    return {"model": model, "optimizer": optimizer, "hidden": hidden}


if __name__ == "__main__":
    main()
