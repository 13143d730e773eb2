import torch
from tqdm import tqdm


class Sampler:
    def __init__(self, model, steps):
        self.model = model
        self.steps = steps

    @torch.inference_mode()
    def p_sample(self, x, t):
        mean, variance = self.model(x, t)
        return mean + variance * torch.randn_like(x), mean

    @torch.inference_mode()
    def loop(self, shape, device):
        image = torch.randn(shape, device=device)
        images = [image]
        for t in tqdm(reversed(range(self.steps)), total=self.steps):
            image, start = self.p_sample(image, t)
            images.append(image)
        return images

    def progressive(self, shape, device):
        image = torch.randn(shape, device=device)
        for t in range(self.steps):
            with torch.no_grad():
                out = self.p_sample(image, t)
                yield out
                image = out[0]
