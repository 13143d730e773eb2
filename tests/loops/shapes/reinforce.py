import numpy as np
import torch
import torch.nn as nn


class Corridor:
    def reset(self):
        self.at, self.time = np.zeros(2, dtype=np.float32), 0
        return self.at

    def step(self, action):
        self.at = self.at + np.array([0.1 if action == 1 else -0.1, 0.05], dtype=np.float32)
        self.time += 1
        return self.at, float(self.at[0]), self.time == 6


def main():
    torch.manual_seed(53)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    policy = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    env = Corridor()
    for episode in range(6):
        state, done = env.reset(), False
        log_probs, rewards = [], []
        while not done:
            logits = policy(torch.from_numpy(state).to(device))
            action = logits.argmax().item()
            log_probs.append(torch.log_softmax(logits, dim=-1)[action])
            state, reward, done = env.step(action)
            rewards.append(reward)
        returns = torch.tensor(np.cumsum(rewards[::-1])[::-1].copy(), dtype=torch.float32).to(device)
        loss = -(torch.stack(log_probs) * returns).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"episode {episode}: reward {sum(rewards):.2f}")
    return {"policy": policy, "optimizer": optimizer}


if __name__ == "__main__":
    main()
