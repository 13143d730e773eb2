import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, vocab, length):
        super().__init__()
        self.embed = nn.Embedding(vocab, 16)
        self.mix = nn.Linear(length, length)
        self.head = nn.Linear(16, vocab)

    def forward(self, tokens):
        h = self.embed(tokens)
        h = h + self.mix(h.transpose(1, 2)).transpose(1, 2)
        return self.head(h)


@torch.no_grad()
def generate(model, prompt, length, device):
    tokens = torch.zeros(prompt.size(0), length, dtype=torch.long, device=device)
    tokens[:, : prompt.size(1)] = prompt
    position = torch.tensor([prompt.size(1) - 1], device=device)
    for _ in range(length - prompt.size(1)):
        logits = model(tokens).index_select(1, position).squeeze(1)
        position = position + 1
        tokens.index_copy_(1, position, logits.argmax(dim=-1, keepdim=True))
    return tokens


def main():
    torch.manual_seed(51)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Model(12, 24).to(device).eval()
    prompt = torch.randint(0, 12, (2, 4)).to(device)
    tokens = generate(model, prompt, 24, device)
    print(tokens[0].tolist())
    return {"model": model, "tokens": tokens}


if __name__ == "__main__":
    main()
