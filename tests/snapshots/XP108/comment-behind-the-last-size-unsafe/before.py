import torch
import torch_xla

z = torch.cuda.LongTensor(
    3,  # a
    4,  # b
)
w = torch.cuda.FloatTensor(3, 4  # last
                           ).zero_()
v = torch.cuda.LongTensor(3,
                          4,  # heads
                          # of each
                          )
