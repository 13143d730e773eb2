import torch


def episode(env, model, width, device="cuda"):
    model.eval()
    model.to(device=device)
    states = torch.from_numpy(env.reset()).reshape(1, width).to(device=device)
    rewards = torch.zeros(0, device=device)
    total = 0
    for t in range(1000):
        rewards = torch.cat([rewards, torch.zeros(1, device=device)])
        action = model.get_action(states, rewards)
        state, reward, done, _ = env.step(action.detach().cpu().numpy())
        states = torch.cat([states, torch.from_numpy(state).to(device=device).reshape(1, width)], dim=0)
        rewards[-1] = reward
        total += reward
        if done:
            break
    return total
