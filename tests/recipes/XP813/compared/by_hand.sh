#!/bin/sh
DEVICE=xla
if [ "$DEVICE" = xla ]; then
    echo on the device
fi
python train.py --device "$DEVICE"
