import torch_xla
import torch


class Agent:
    def __init__(self, policy, optimizer):
        self.policy = policy
        self.optimizer = optimizer

    def update(self, batches):
        self.policy.train()

        device = next(self.policy.parameters()).device
        value_sum = torch.tensor([0.0], device=device)
        loss_sum = torch.tensor([0.0], device=device)

        for batch in batches:
            value, loss = self.policy.evaluate(batch)
            value_loss = (value - batch).pow(2).mean()
            policy_loss = loss.mean()
            self.optimizer.zero_grad()
            (value_loss + policy_loss).backward()
            self.optimizer.step()
            value_sum += value_loss.detach()
            loss_sum += policy_loss.detach()
            torch_xla.sync()

        return value_sum.item() / len(batches), loss_sum.item() / len(batches)
