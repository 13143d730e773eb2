import torch
import torch.nn.functional as F


class PGD:
    def __init__(self, model, eps, alpha, steps):
        self.model, self.eps, self.alpha, self.steps = model, eps, alpha, steps

    def forward(self, images, labels):
        images = images.clone().detach().to(self.device)
        adv_images = images.clone().detach()
        for _ in range(self.steps):
            adv_images.requires_grad = True
            cost = F.cross_entropy(self.model(adv_images), labels)
            grad = torch.autograd.grad(cost, adv_images, retain_graph=False, create_graph=False)[0]
            adv_images = adv_images.detach() + self.alpha * grad.sign()
            delta = torch.clamp(adv_images - images, min=-self.eps, max=self.eps)
            adv_images = torch.clamp(images + delta, min=0, max=1).detach()
        return adv_images

    def attack(self, images, labels):
        x = images.clone()
        for step in range(self.steps):
            x.requires_grad_()
            with torch.enable_grad():
                cost = F.cross_entropy(self.model(x), labels)
            (grad,) = torch.autograd.grad(outputs=cost, inputs=[x])
            x = x.detach() + self.alpha * torch.sign(grad.detach())
            x = torch.min(torch.max(x, images - self.eps), images + self.eps)
            if step % 10 == 0:
                print(step, cost.item())
        return x
