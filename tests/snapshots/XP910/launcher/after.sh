#!/bin/bash
# XRT_TPU_CONFIG=comment
export XRT_TPU_CONFIG="localservice;0;localhost:51011"
export XLA_USE_BF16=1
python -m torch_xla.distributed.xla_dist --tpu=$TPU_NAME --restart-tpuvm-pod -- python train.py
XLA_DOWNCAST_BF16=1 TPU_NUM_DEVICES=4 python train.py --device xla
PJRT_DEVICE=GPU GPU_NUM_DEVICES=2 python train.py
