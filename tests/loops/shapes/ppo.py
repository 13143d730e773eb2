import torch
import torch.nn as nn


def update(policy, value, optimizer, memory, epochs=3, clip=0.2):
    states, actions, old_logp, returns = memory
    for _ in range(epochs):
        for picked in torch.randperm(states.size(0)).split(16):
            picked = picked.to(states.device)
            s, a, logp0, ret = states[picked], actions[picked], old_logp[picked], returns[picked]
            logp = torch.log_softmax(policy(s), dim=-1).gather(1, a.unsqueeze(1)).squeeze(1)
            v = value(s).squeeze(1)
            advantage = ret - v.detach()
            ratio = (logp - logp0).exp()
            surrogate = torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
            loss = -surrogate.mean() + 0.5 * (ret - v).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(52)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2)).to(device)
    value = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-3)
    for iteration in range(4):
        states = torch.randn(48, 4).to(device)
        actions = torch.randint(0, 2, (48,)).to(device)
        returns = torch.randn(48).to(device)
        with torch.no_grad():
            old_logp = torch.log_softmax(policy(states), dim=-1).gather(1, actions.unsqueeze(1)).squeeze(1)
        loss = update(policy, value, optimizer, (states, actions, old_logp, returns))
        print(f"iteration {iteration}: loss {loss:.4f}")
    return {"policy": policy, "value": value, "optimizer": optimizer}


if __name__ == "__main__":
    main()
