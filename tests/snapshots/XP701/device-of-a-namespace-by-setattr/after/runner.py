import torch
from ema import EMAHelper


class Diffusion:
    def __init__(self, args, config, device=None):
        self.config = config
        if device is None:
            device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
        self.device = device

    def train(self):
        model = torch.nn.Linear(4, 4).to(self.device)
        opt = torch.optim.SGD(model.parameters(), self.config.lr)
        ema = EMAHelper()
        ema.register(model)
        for resume in (False, True):
            if resume:
                states = torch.load("ckpt.pth")
                model.load_state_dict(states[0])
                ema.load_state_dict(states[1])
            for x in [torch.rand(8, 4)] * 3:
                loss = model(x.to(self.device)).mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
                ema.update(model)
            torch.save([model.state_dict(), ema.state_dict()], "ckpt.pth")

    def sample(self):
        model = torch.nn.Linear(4, 4)
        states = torch.load("ckpt.pth", map_location="cpu")
        model = model.to(self.device)
        model.load_state_dict(states[0], strict=True)
        print(model(torch.rand(1, 4).to(self.device)).cpu())
