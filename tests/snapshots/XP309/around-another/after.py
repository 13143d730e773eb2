import torch
from torch import distributions as pyd


class SquashedNormal(pyd.transformed_distribution.TransformedDistribution):
    def __init__(self, loc, scale):
        self.base_dist = pyd.Normal(loc, scale, validate_args=False)
        super().__init__(self.base_dist, [pyd.transforms.TanhTransform(cache_size=1)], validate_args=False)


net = torch.nn.Linear(4, 4).to("cuda")
optimizer = torch.optim.Adam(net.parameters())
for x in [torch.rand(8, 4)] * 6:
    mean, log_std = net(x.to("cuda")).chunk(2, dim=-1)
    dist = SquashedNormal(mean, log_std.exp())
    whole = pyd.Independent(pyd.Normal(mean, log_std.exp(), validate_args=False), 1, validate_args=False)
    of_host = pyd.Independent(pyd.Normal(0.0, 1.0), 0)
    loss = dist.log_prob(dist.rsample()).sum(-1).mean() - whole.log_prob(mean).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
