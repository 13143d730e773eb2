import torch_xla.distributed.xla_dist as xla_dist

xla_dist.main()
