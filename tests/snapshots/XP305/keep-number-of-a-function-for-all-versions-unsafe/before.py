import logging
import math

import torch

logger = logging.getLogger(__name__)


def to_item(x):
    if isinstance(x, (float, int)):
        return x

    if float(torch.__version__[0:3]) < 0.4:
        assert (x.dim() == 1) and (len(x) == 1)
        return x[0]

    return x.item()


model = torch.nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
largest = 0
for step in range(100):
    output = model(torch.randn(8, 4).cuda())
    loss = output.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    norm = to_item(output.norm(dim=-1).data.max())
    if norm > largest:
        largest = norm
        logger.info(f'max hidden {largest}')
    optimizer.step()
    ppl = math.exp(to_item(loss.data))
    if step % 10 == 0:
        logger.info(f'ppl {ppl}')
