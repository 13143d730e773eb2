#!/bin/sh
export PJRT_DEVICE=TPU
export XLA_USE_BF16=1
python -m torch_xla.distributed.xla_dist --tpu=name -- python train.py
