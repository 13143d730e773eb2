import torch


@torch.no_grad()
def choose(model, x):
    return torch.multinomial(model(x)[:, -1, :].softmax(-1), num_samples=1)


class Player:
    def __init__(self, model, game):
        self.device = torch.device("cuda")
        self.model = model.to(self.device)
        self.game = game

    def play(self):
        state = self.game.reset().to(self.device).unsqueeze(0)
        every = state
        move = choose(self.model, state.unsqueeze(0))
        while True:
            state, done = self.game.step(move.cpu().numpy()[0, -1])
            if done:
                break
            every = torch.cat([every, state.unsqueeze(0).to(self.device)], dim=0)
            move = choose(self.model, every.unsqueeze(0))
