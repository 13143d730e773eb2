import torch

device = torch.device("cuda")
model, optimizer = torch.load("both.pt", map_location=device, weights_only=False)
model.eval()
optimizer.zero_grad()


class Agent:
    def restore(self):
        for name, part in torch.load("agent.pt", map_location=device, weights_only=False).items():
            setattr(self, name, part)


archive = torch.jit.load("m.pt", map_location=device)
