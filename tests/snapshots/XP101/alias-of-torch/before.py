import torch as t

device = t.device("cuda")
