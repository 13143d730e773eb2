import torch
import torch.nn as nn


class TinyLM(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.body = nn.Linear(width, width)
        self.head = nn.Linear(width, vocab, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, x):
        return self.head(torch.tanh(self.body(self.embed(x))))


def main():
    torch.manual_seed(65)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = torch.randint(0, 12, (160, 5))
    model = TinyLM(12, 8).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for step in range(20):
        batch = data[step % 10 * 16 : step % 10 * 16 + 16].to(device)
        logits = model(batch[:, :-1])
        loss = nn.functional.cross_entropy(logits.reshape(-1, 12), batch[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            print(f"step {step}: loss {loss.item():.4f}")
    return {"model": model, "optimizer": optimizer}


if __name__ == "__main__":
    main()
