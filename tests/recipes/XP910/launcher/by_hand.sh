#!/bin/sh
export XRT_TPU_CONFIG="localservice;0;localhost:51011"
export XLA_USE_BF16=1
gcloud compute tpus tpu-vm ssh name --worker=all --command="python train.py"
