import torch
import torch.nn as nn


def pgd(model, x, y, eps, alpha, steps):
    adv = x.clone().detach()
    for _ in range(steps):
        adv.requires_grad = True
        loss = nn.functional.cross_entropy(model(adv), y)
        grad = torch.autograd.grad(loss, adv)[0]
        adv = adv.detach() + alpha * grad.sign()
        adv = torch.max(torch.min(adv, x + eps), x - eps)
    return adv


def main():
    torch.manual_seed(90)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3)).to(device)
    x, y = torch.randn(16, 8).to(device), torch.randint(0, 3, (16,)).to(device)
    adv = pgd(model, x, y, 0.1, 0.01, 20)
    print(f"moved by {(adv - x).abs().mean().item():.4f}")
    return {"model": model, "adv": adv}


if __name__ == "__main__":
    main()
