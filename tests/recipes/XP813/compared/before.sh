#!/bin/sh
DEVICE=cuda
if [ "$DEVICE" = cuda ]; then
    echo on the device
fi
python train.py --device "$DEVICE"
