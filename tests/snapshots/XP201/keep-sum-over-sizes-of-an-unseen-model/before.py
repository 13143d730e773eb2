import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from model import ft_net


def extract_feature(model, dataloaders):
    for iter, data in enumerate(dataloaders):
        img, label = data
        ff = torch.FloatTensor(img.size(0), 4).zero_().cuda()
        for i in range(2):
            if i == 1:
                img = img.flip(3)
            input_img = img.cuda()
            for scale in [1.0]:
                if scale != 1:
                    input_img = nn.functional.interpolate(input_img, scale_factor=scale, mode='bicubic', align_corners=False)
                outputs = model(input_img) 
                ff += outputs
        fnorm = torch.norm(ff, p=2, dim=1, keepdim=True)
        ff = ff.div(fnorm.expand_as(ff))
        if iter == 0:
            features = torch.FloatTensor(len(dataloaders.dataset), ff.shape[1])
        start = iter * 8
        end = min((iter + 1) * 8, len(dataloaders.dataset))
        features[start:end, :] = ff
    return features


loader = DataLoader(TensorDataset(torch.randn(64, 3, 8, 8), torch.zeros(64)), batch_size=8)
model = ft_net().eval().cuda()
with torch.no_grad():
    feature = extract_feature(model, loader)
print(feature.numpy().sum())
