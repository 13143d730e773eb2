#!/bin/sh
export XRT_TPU_CONFIG="localservice;0;localhost:51011"
export XLA_USE_BF16=1
python -m torch_xla.distributed.xla_dist --tpu=name -- python train.py
