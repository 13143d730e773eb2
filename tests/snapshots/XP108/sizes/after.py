import torch
import torch_xla


def noise(spect, device):
    first = torch.randn(spect.size(0),
                        4,
                        spect.size(2),
                        dtype=torch.float16, device=torch_xla.device())
    second = torch.rand(spect.size(0), 4, device=torch_xla.device())
    third = torch.zeros(2, 3, dtype=torch.int64, device=torch_xla.device())
    fourth = torch.empty(2, 3, dtype=torch.int64, device=torch_xla.device()).random_(5)
    fifth = torch.empty(*spect.shape, device=torch_xla.device()).normal_(0, 2)
    sixth = torch.empty(2, 3, dtype=torch.int32, device=torch_xla.device()).normal_
    return first, second, third, fourth, fifth, sixth, torch.empty(3, device=torch_xla.device()), torch.FloatTensor([3, 4]).to(torch_xla.device())
