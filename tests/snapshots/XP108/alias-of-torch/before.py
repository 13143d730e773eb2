import torch as t

x = t.zeros(3).type(t.cuda.HalfTensor)
