"""The one read of each pass runs all that the pass computes: behind it, or before it, a barrier has nothing to do."""

import game
import numpy as np
import torch
import torch_xla
from torch import nn

device = torch_xla.device()


class Actor(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.last = nn.Linear(8, 2)
        self.scale = scale

    def forward(self, state):
        return self.scale * torch.tanh(self.last(torch.relu(self.first(state))))


class Agent:
    def __init__(self):
        self.actor = Actor(2.0).to(device)

    def act(self, state):
        state = torch.as_tensor(state, device=device)
        return self.actor(state.unsqueeze(0)).cpu().numpy()[0]


class Still(Agent):
    def act(self, state):
        return 0 * self.actor(torch.as_tensor(state, device=device)).cpu().numpy()


def play(environment, moves):
    if moves:
        agent = Agent()
    else:
        agent = Still()
    state, done = environment.reset(), False
    total = 0.0
    while not done:
        with torch.no_grad():
            action = agent.act(state)
        state, reward, done, _ = environment.step(action)
        total += reward
    return total


def predict(net, image):
    net.eval()
    with torch.no_grad():
        output = net(image.to(device))
        probability = output.softmax(1)
    return probability.argmax(1).cpu().numpy()


def colored(found, shape):
    picture = np.zeros((int(shape[0]), 3), dtype=np.uint8)
    for number in range(4):
        picture[found == number] = 60 * number
    return picture


def to_image(tensor):
    return tensor.squeeze(0).float().cpu().clamp_(0, 1).numpy()


def show(net, images):
    net.eval()
    for number, image in enumerate(images):
        try:
            with torch.no_grad():
                output = net(image.to(device))
                picture = to_image(output)
            del output
        except RuntimeError as error:
            print(error)
            continue
        print(number, picture.mean())


def evaluate(net, batches):
    correct = 0
    net.eval()
    with torch.no_grad():
        for x, y in batches:
            correct += (net(x.to(device)).argmax(1).cpu() == y).sum().item()
    return correct


play(game.Environment(), True)
model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout()).to(device)
for _ in range(8):
    print(colored(predict(model, torch.rand(3, 4)), (3, 4)))
show(model, [torch.rand(3, 4) for _ in range(5)])
print(evaluate(model, [(torch.rand(8, 4), torch.zeros(8)) for _ in range(5)]))
