import torch
import torch_xla


def play(agent, env, steps):
    obs, hidden = env.reset(), None
    for _ in range(steps):
        with torch.no_grad():
            action, hidden = agent.act(obs, hidden)
        torch_xla.sync()
        obs, reward, done, info = env.step(action)
        mask = torch.tensor([0.0 if d else 1.0 for d in done], device="cuda")
        hidden = hidden * mask


def play_by_policy(policy, env):
    state, done = env.reset(), False
    while not done:
        with torch.no_grad():
            logits = policy(torch.as_tensor(state, device="cuda"))
        torch_xla.sync()
        action = logits.argmax().cpu().numpy()
        state, reward, done, _, info = env.step(action)
