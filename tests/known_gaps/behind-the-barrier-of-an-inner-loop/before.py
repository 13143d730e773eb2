import numpy as np
import torch


def test(model, loader, vote_num=3):
    mean_correct = []
    class_acc = np.zeros((3, 2))
    for points, target in loader:
        points, target = points.cuda(), target.cuda()
        vote_pool = torch.zeros(target.size()[0], 3).cuda()
        for _ in range(vote_num):
            pred = model(points)
            vote_pool += pred
        pred_choice = vote_pool.data.max(1)[1]
        for cat in np.unique(target.cpu()):
            classacc = pred_choice[target == cat].eq(target[target == cat].long().data).cpu().sum()
            class_acc[cat, 0] += classacc.item() / float(points[target == cat].size()[0])
        correct = pred_choice.eq(target.long().data).cpu().sum()
        mean_correct.append(correct.item() / float(points.size()[0]))
    return np.mean(mean_correct)


with torch.no_grad():
    print(test(torch.nn.Linear(4, 3).cuda(), [(torch.rand(8, 4), torch.randint(3, (8,))) for _ in range(5)]))
