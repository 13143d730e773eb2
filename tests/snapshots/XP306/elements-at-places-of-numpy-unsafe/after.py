import numpy as np
import torch
from torch.utils.data import DataLoader

retinanet = torch.nn.Linear(4, 4).cuda()
retinanet.eval()
for idx, data in enumerate(DataLoader(torch.rand(16, 4), batch_size=4, drop_last=True)):
    with torch.no_grad():
        boxes = retinanet(data.cuda())
        scores = boxes.sum(1)
        idxs = np.where(scores.cpu() > -10)
        host_boxes, host_scores = boxes.cpu(), scores.cpu()
        for j in range(idxs[0].shape[0]):
            bbox = host_boxes[idxs[0][j], :]
            x1 = int(bbox[0])
            print(x1, int(host_scores[idxs[0][j]]))
