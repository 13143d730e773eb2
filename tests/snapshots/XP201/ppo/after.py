import torch
import torch_xla


def learn(policy, optimizer, rollout, batches):
    for update in range(100):
        obs, adv = rollout(policy)
        for epoch in range(4):
            for idx in batches:
                loss = -(policy(obs[idx]) * adv[idx]).mean()
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                optimizer.step()
                torch_xla.sync()
        print(update, loss.item())
