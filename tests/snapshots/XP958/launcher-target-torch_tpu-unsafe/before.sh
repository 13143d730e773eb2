export PJRT_DEVICE=TPU
XLA_USE_BF16=1 python train.py
XLA_FLAGS=--x python train.py
python -m torch_xla.distributed.xla_dist --tpu=x -- python train.py
