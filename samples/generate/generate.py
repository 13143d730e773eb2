"""Generate text with a language model, token by token.

    python generate.py                          # trains a small model first, nothing to download
    python generate.py --prompt "the quiet river" --temperature 0
    python generate.py --save-weights lm.pt
    python generate.py --weights lm.pt --top-k 5 --num-samples 4
"""

import argparse
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

NOUNS = "fox river lantern stone sailor garden raven winter".split()
VERBS = "follows remembers carries finds paints forgets".split()
ADJECTIVES = "quiet silver old restless green hollow".split()
VOCABULARY = ["<eos>", "<bos>", "the", "a", "and", "then", *ADJECTIVES, *NOUNS, *VERBS]
EOS, BOS = 0, 1
STOI = {word: i for i, word in enumerate(VOCABULARY)}


def make_story(rng):
    """Sentences with a grammar that a small model can learn, between 1 and 3 of them."""
    words = []
    for i in range(rng.randint(1, 3)):
        words += ["and", "then"] if i else []
        words += ["the", rng.choice(ADJECTIVES), rng.choice(NOUNS), rng.choice(VERBS), "a", rng.choice(NOUNS)]
    return words


def encode(words):
    return [BOS] + [STOI[word] for word in words]


def decode(ids):
    return " ".join(VOCABULARY[i] for i in ids if i not in (BOS, EOS))


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attention = Attention(dim, heads)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class LanguageModel(nn.Module):
    def __init__(self, vocab_size, max_length=32, dim=48, heads=4, layers=2):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, dim)
        self.positions = nn.Embedding(max_length, dim)
        self.blocks = nn.Sequential(*[Block(dim, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab_size, bias=False)

    def forward(self, idx):
        positions = torch.arange(idx.shape[1], device=idx.device)
        x = self.tokens(idx) + self.positions(positions)
        return self.head(self.norm(self.blocks(x)))

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, temperature=1.0, top_k=None, eos_id=None):
        """Continue the sequence idx (1, T) until the end token, or by max_new_tokens."""
        for _ in range(max_new_tokens):
            # crop the context if it grows too long
            idx_cond = idx if idx.size(1) <= self.max_length else idx[:, -self.max_length :]
            logits = self(idx_cond)[:, -1, :]
            if temperature == 0:
                idx_next = logits.argmax(dim=-1, keepdim=True)
            else:
                logits = logits / temperature
                if top_k is not None:
                    v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                    logits[logits < v[:, [-1]]] = -float("inf")
                probs = F.softmax(logits, dim=-1)
                idx_next = torch.multinomial(probs, num_samples=1)
            # append to the running sequence and continue
            idx = torch.cat((idx, idx_next), dim=1)
            if idx_next.item() == eos_id:
                break
        return idx


def train(model, device, args):
    rng = random.Random(args.seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    model.train()
    for step in range(args.train_steps):
        rows = []
        for _ in range(args.batch_size):
            ids = encode(make_story(rng))
            rows.append(ids + [EOS] * (model.max_length - len(ids)))
        batch = torch.tensor(rows).to(device)
        logits = model(batch[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), batch[:, 1:].reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % args.log_interval == 0 or step == args.train_steps - 1:
            print(f"step {step:4d} | loss {loss.item():.4f}")


def main():
    parser = argparse.ArgumentParser(description="Text generation")
    parser.add_argument("--prompt", default="the restless", help="words of the vocabulary")
    parser.add_argument("--num-samples", type=int, default=3)
    parser.add_argument("--max-new-tokens", type=int, default=24)
    parser.add_argument("--temperature", type=float, default=0.8, help="0 takes the best token each time")
    parser.add_argument("--top-k", type=int, default=None, help="sample from the k best tokens only")
    parser.add_argument("--weights", metavar="PATH", help="load the model instead of training it")
    parser.add_argument("--save-weights", metavar="PATH")
    parser.add_argument("--train-steps", type=int, default=150)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--log-interval", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.cuda.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    model = LanguageModel(len(VOCABULARY))
    model.to(device)
    if args.weights:
        model.load_state_dict(torch.load(args.weights, map_location=device))
    else:
        train(model, device, args)
    if args.save_weights:
        torch.save(model.state_dict(), args.save_weights)

    model.eval()
    prompt = torch.tensor(encode(args.prompt.split()), dtype=torch.long, device=device)[None, ...]
    start, count = time.time(), 0
    for _ in range(args.num_samples):
        y = model.generate(prompt, args.max_new_tokens, args.temperature, args.top_k, eos_id=EOS)
        count += y.size(1) - prompt.size(1)
        print("text:", decode(y[0].tolist()))
    print(f"{count / (time.time() - start):.1f} tokens/s")


if __name__ == "__main__":
    main()
