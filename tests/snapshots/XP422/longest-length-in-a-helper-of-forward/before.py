import torch


def get_mask_from_lengths(lengths):
    max_len = torch.max(lengths).item()
    ids = torch.arange(0, max_len, out=torch.cuda.LongTensor(max_len))
    return (ids < lengths.unsqueeze(1)).bool()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(1, 1)

    def parse_batch(self, batch):
        x, n = batch
        n = n.cuda().long()
        return x.cuda(), n, torch.max(n.data).item()

    def forward(self, x, n, max_len):
        m = get_mask_from_lengths(n)
        return self.l(x[:, :max_len, None]).squeeze(-1).masked_fill(~m, 0)


def train(loader):
    model = Net().cuda()
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for batch in loader:
        opt.zero_grad()
        model(*model.parse_batch(batch)).sum().backward()
        opt.step()


train([(torch.rand(2, 8), torch.tensor([8, i + 2])) for i in range(4)])
