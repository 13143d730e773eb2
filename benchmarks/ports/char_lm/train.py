"""Train a small GPT on the characters of a text.

    python train.py                         # on a made-up text, nothing to download
    python train.py --text input.txt        # on any text file
"""

import argparse
import math
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch_xla
import torch_xla.core.xla_model as xm


class Block(nn.Module):
    def __init__(self, n_embd, n_head, dropout):
        super().__init__()
        self.n_head = n_head
        self.dropout = dropout
        self.ln1 = nn.LayerNorm(n_embd)
        self.qkv = nn.Linear(n_embd, 3 * n_embd, bias=False)
        self.proj = nn.Linear(n_embd, n_embd, bias=False)
        self.ln2 = nn.LayerNorm(n_embd)
        self.mlp = nn.Sequential(
            nn.Linear(n_embd, 4 * n_embd),
            nn.GELU(),
            nn.Linear(4 * n_embd, n_embd),
            nn.Dropout(dropout),
        )

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(self.ln1(x)).split(C, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        y = F.scaled_dot_product_attention(
            q, k, v, dropout_p=self.dropout if self.training else 0.0, is_causal=True
        )
        x = x + self.proj(y.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln2(x))


class CharGPT(nn.Module):
    def __init__(self, vocab_size, block_size, n_layer, n_head, n_embd, dropout):
        super().__init__()
        self.tok_emb = nn.Embedding(vocab_size, n_embd)
        self.pos_emb = nn.Parameter(torch.zeros(1, block_size, n_embd))
        self.drop = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(Block(n_embd, n_head, dropout) for _ in range(n_layer))
        self.ln_f = nn.LayerNorm(n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, idx, targets=None):
        x = self.drop(self.tok_emb(idx) + self.pos_emb[:, : idx.size(1)])
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.ln_f(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss


def make_text(sentences=4000, seed=0):
    """A made-up text with a grammar that a small model can learn."""
    rng = random.Random(seed)
    nouns = ["fox", "river", "lantern", "stone", "sailor", "garden", "raven", "winter"]
    verbs = ["follows", "remembers", "carries", "finds", "paints", "forgets"]
    adjectives = ["quiet", "silver", "old", "restless", "green", "hollow"]
    lines = []
    for _ in range(sentences):
        subject = f"{rng.choice(adjectives)} {rng.choice(nouns)}"
        lines.append(f"the {subject} {rng.choice(verbs)} a {rng.choice(nouns)}.")
    return "\n".join(lines)


def get_batch(data, args, device):
    ix = torch.randint(len(data) - args.block_size, (args.batch_size,))
    x = torch.stack([data[i : i + args.block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + 1 + args.block_size] for i in ix])
    return x.to(device), y.to(device)


def get_lr(step, args):
    """Linear warm-up, then cosine decay down to a tenth of the peak."""
    if step < args.warmup:
        return args.lr * (step + 1) / (args.warmup + 1)
    ratio = (step - args.warmup) / max(1, args.steps - args.warmup)
    return args.lr * (0.1 + 0.45 * (1.0 + math.cos(math.pi * ratio)))


@torch.no_grad()
def estimate_loss(model, splits, args, device):
    out = {}
    model.eval()
    for split, data in splits.items():
        losses = []
        for _ in range(args.eval_iters):
            x, y = get_batch(data, args, device)
            _, loss = model(x, y)
            losses.append(loss)
            torch_xla.sync()
        out[split] = torch.stack(losses).mean().item()
    model.train()
    return out


@torch.no_grad()
def generate(model, context, count, temperature=0.8):
    """Sample `count` characters; the context is a window of fixed length."""
    model.eval()
    out = []
    for _ in range(count):
        logits, _ = model(context)
        probs = F.softmax(logits[:, -1, :] / temperature, dim=-1)
        next_id = torch.multinomial(probs, num_samples=1)
        context = torch.cat((context[:, 1:], next_id), dim=1)
        out.append(next_id)
        torch_xla.sync()
    return torch.cat(out, dim=1)[0].tolist()


def main():
    parser = argparse.ArgumentParser(description="Character-level GPT")
    parser.add_argument("--text", default=None, help="a text file to train on")
    parser.add_argument("--steps", type=int, default=240)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--block-size", type=int, default=64)
    parser.add_argument("--n-layer", type=int, default=2)
    parser.add_argument("--n-head", type=int, default=4)
    parser.add_argument("--n-embd", type=int, default=64)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--warmup", type=int, default=10)
    parser.add_argument("--grad-clip", type=float, default=1.0)
    parser.add_argument("--log-interval", type=int, default=20)
    parser.add_argument("--eval-interval", type=int, default=80)
    parser.add_argument("--eval-iters", type=int, default=10)
    parser.add_argument("--sample", type=int, default=200, help="characters to generate at the end")
    parser.add_argument("--seed", type=int, default=1337)
    parser.add_argument("--save", metavar="PATH", help="save the checkpoint here")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch_xla.manual_seed(args.seed)
    device = torch_xla.device()

    if args.text is not None:
        with open(args.text, encoding="utf-8") as f:
            text = f.read()
    else:
        text = make_text()
    chars = sorted(set(text))
    stoi = {ch: i for i, ch in enumerate(chars)}
    data = torch.tensor([stoi[ch] for ch in text], dtype=torch.long)
    n = int(0.9 * len(data))
    splits = {"train": data[:n], "val": data[n:]}

    model = CharGPT(
        len(chars), args.block_size, args.n_layer, args.n_head, args.n_embd, args.dropout
    ).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.95), weight_decay=0.1)
    print(f"{len(text)} characters, {sum(p.numel() for p in model.parameters())} parameters")

    start = time.time()
    model.train()
    for step in range(args.steps):
        lr = get_lr(step, args)
        for group in optimizer.param_groups:
            group["lr"] = lr

        x, y = get_batch(splits["train"], args, device)
        _, loss = model(x, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)
        optimizer.step()
        torch_xla.sync()

        if step % args.log_interval == 0:
            print(f"step {step:4d} | loss {loss.item():.4f} | lr {lr:.2e}")
        if step % args.eval_interval == 0 or step == args.steps - 1:
            losses = estimate_loss(model, splits, args, device)
            print(f"step {step:4d} | train {losses['train']:.4f} | val {losses['val']:.4f}")

    xm.wait_device_ops()
    tokens = args.steps * args.batch_size * args.block_size
    print(f"{tokens / (time.time() - start):.0f} tokens/s")

    if args.save:
        xm.save({"model": model.state_dict(), "chars": chars, "args": vars(args)}, args.save)

    context = splits["val"][: args.block_size].unsqueeze(0).to(device)
    print("".join(chars[i] for i in generate(model, context, args.sample)))


if __name__ == "__main__":
    main()
