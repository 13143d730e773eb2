import torch
from torch import nn

model = nn.Linear(8, 8).cuda()
END = 7


@torch.no_grad()
def speak(token, most, may_end, least):
    said = []
    for n in range(most):
        chances = model(token).softmax(-1)
        drawn = torch.multinomial(chances, 1)
        if may_end and (drawn == END or (least is not None and chances[-1] >= least)):
            break
        said.append(drawn)
    print(n)
    return said


@torch.no_grad()
def answer(token, most, is_over):
    said = []
    for n in range(most):
        token = model(token)
        drawn = token.argmax(-1, keepdim=True)
        if (drawn == END).all() or is_over(said):
            break
        said.append(drawn)
    return said


speak(torch.zeros(8).cuda(), 99, True, 0.2)
answer(torch.zeros(8).cuda(), 99, len)
