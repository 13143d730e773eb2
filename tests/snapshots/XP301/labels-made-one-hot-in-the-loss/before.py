import torch
import torch.nn.functional as F


def binarize(T, nb_classes):
    T = T.cpu().numpy()
    return torch.FloatTensor([[float(c == t) for c in range(nb_classes)] for t in T]).cuda()


class Loss(torch.nn.Module):
    def __init__(self, nb_classes):
        super().__init__()
        self.nb_classes = nb_classes

    def forward(self, X, T):
        return (F.softmax(X, 1) * binarize(T=T, nb_classes=self.nb_classes)).sum()


model = torch.nn.Linear(4, 3).cuda()
criterion = Loss(3).cuda()
opt = torch.optim.SGD(model.parameters(), 0.1)
for x, y in [(torch.rand(8, 4), torch.randint(3, (8,)))] * 4:
    loss = criterion(model(x.squeeze().cuda()), y.squeeze().cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
