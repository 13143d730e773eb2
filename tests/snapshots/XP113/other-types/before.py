import torch as t

t.set_default_tensor_type(t.cuda.DoubleTensor)
x = t.Tensor([1.0])
