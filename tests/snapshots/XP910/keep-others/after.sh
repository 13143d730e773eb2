#!/bin/bash
export PJRT_DEVICE=TPU
export XLA_FLAGS=--xla_dump_to=/tmp/dump
PT_XLA_DEBUG_LEVEL=2 TPU_VISIBLE_CHIPS=0 python train.py
echo "export XRT_TPU_CONFIG=..."
