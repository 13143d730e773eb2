import random
from collections import deque

import torch
import torch.nn as nn


def main():
    random.seed(74)
    torch.manual_seed(74)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    policy_net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    target_net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    target_net.load_state_dict(policy_net.state_dict())
    optimizer = torch.optim.AdamW(policy_net.parameters(), lr=1e-2)
    memory = deque(maxlen=200)
    state = torch.randn(4)
    for step in range(40):
        action, reward, next_state = random.randrange(2), random.random(), torch.randn(4)
        memory.append((state, action, reward, next_state))
        state = next_state
        if len(memory) < 16:
            continue
        batch = random.sample(memory, 16)
        states = torch.stack([b[0] for b in batch]).to(device)
        actions = torch.tensor([b[1] for b in batch]).to(device)
        rewards = torch.tensor([b[2] for b in batch]).to(device)
        next_states = torch.stack([b[3] for b in batch]).to(device)
        q = policy_net(states).gather(1, actions.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            expected = rewards + 0.99 * target_net(next_states).max(1).values
        loss = nn.functional.smooth_l1_loss(q, expected)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
        optimizer.step()
        for t, p in zip(target_net.parameters(), policy_net.parameters()):
            t.data.copy_(0.1 * p.data + 0.9 * t.data)
    print(f"loss {loss.item():.4f}")
    return {"policy_net": policy_net, "target_net": target_net, "optimizer": optimizer}


if __name__ == "__main__":
    main()
