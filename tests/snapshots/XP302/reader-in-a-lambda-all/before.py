import argparse
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument('--use_xent', '-x', action='store_true')
args = parser.parse_args()

test_loader = torch.utils.data.DataLoader(
    torch.utils.data.TensorDataset(torch.randn(64, 8), torch.arange(64) % 4), batch_size=8, shuffle=False)
net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 4))
net.eval()
net.cuda()

ood_num_examples = 32
concat = lambda x: np.concatenate(x, axis=0)
to_np = lambda x: x.data.cpu().numpy()


def get_ood_scores(loader, in_dist=False):
    _score = []
    _right_score = []

    with torch.no_grad():
        for batch_idx, (data, target) in enumerate(loader):
            if batch_idx >= ood_num_examples // 8 and in_dist is False:
                break

            data = data.cuda()

            output = net(data)
            smax = to_np(F.softmax(output, dim=1))

            if args.use_xent:
                _score.append(to_np(output.mean(1) - torch.logsumexp(output, dim=1)))
            else:
                _score.append(-np.max(smax, axis=1))

            if in_dist:
                preds = np.argmax(smax, axis=1)
                targets = target.numpy().squeeze()
                right_indices = preds == targets

                _right_score.append(-np.max(smax[right_indices], axis=1))

    if in_dist:
        return concat(_score).copy(), concat(_right_score).copy()
    else:
        return concat(_score)[:ood_num_examples].copy()


print(len(get_ood_scores(test_loader, in_dist=True)[0]))
