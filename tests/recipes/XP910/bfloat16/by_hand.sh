#!/bin/sh
export XRT_TPU_CONFIG="localservice;0;localhost:51011"
python -m torch_xla.distributed.xla_dist --tpu=name -- python train.py
