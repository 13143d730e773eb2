#!/bin/sh
export NCCL_DEBUG=INFO
if [ -n "$NCCL_DEBUG" ]; then echo debugging; fi
python train.py
