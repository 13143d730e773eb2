import torch
import torch.nn.functional as F
import torch_xla


def dream(model, image, layers, rate, steps):
    image = image.to("cuda").requires_grad_()
    for _ in range(steps):
        loss = model(image)[layers].norm()
        loss.backward()
        gradient = image.grad.data
        image.data += rate * gradient / gradient.std()
        image.grad.zero_()
        torch_xla.sync()
    return image


def perturb(model, x, y, alpha, eps, steps):
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(steps):
        loss = F.cross_entropy(model(x + delta), y)
        loss.backward()
        delta.data = (delta + alpha * delta.grad.detach().sign()).clamp(-eps, eps)
        delta.grad.zero_()
        torch_xla.sync()
    return delta.detach()


def langevin(energy, x, rate, noise, steps):
    x.requires_grad_()
    for k in range(steps):
        slope = torch.autograd.grad(energy(x).sum(), [x], retain_graph=True)[0]
        x.data += rate * slope + noise * torch.randn_like(x)
        torch_xla.sync()
    return x.detach()


def fit(loss_of, weights, steps):
    for _ in range(steps):
        loss = loss_of(weights)
        grads = torch.autograd.grad(loss, weights)
        weights = [(w - 0.1 * g).detach().requires_grad_() for w, g in zip(weights, grads)]
        torch_xla.sync()
    return weights


def simulate(potential, position, velocity, dt, steps):
    for _ in range(steps):
        position = position.detach().requires_grad_()
        force = -torch.autograd.grad(potential(position).sum(), position)[0]
        velocity += force * dt
        position = position + velocity * dt
        torch_xla.sync()
    return position
