import torch
import torch_xla

device = torch_xla.device()
policy = torch.nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)


def run(env, steps):
    state = env.reset()
    for step in range(steps):
        logits = policy(torch.tensor(state, device=device))
        torch_xla.sync()
        action = logits.argmax().item()
        state, reward, done = env.step(action)
        loss = -policy(torch.tensor(state, device=device)).mean() * reward
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
