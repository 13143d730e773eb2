import torch_xla


class Agent:
    def __init__(self, policy, optimizer):
        self.policy = policy
        self.optimizer = optimizer

    def update(self, batches):
        self.policy.train()

        value_sum = 0
        loss_sum = 0

        for batch in batches:
            value, loss = self.policy.evaluate(batch)
            value_loss = (value - batch).pow(2).mean()
            policy_loss = loss.mean()
            self.optimizer.zero_grad()
            (value_loss + policy_loss).backward()
            self.optimizer.step()
            value_sum += value_loss.item()
            loss_sum += policy_loss.item()
            torch_xla.sync()

        return value_sum / len(batches), loss_sum / len(batches)
