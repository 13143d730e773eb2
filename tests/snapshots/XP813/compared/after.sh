DEVICE=cuda
if [[ "$DEVICE" == "cuda" ]]; then
  python train.py --device $DEVICE
fi
