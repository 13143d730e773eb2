export XLA_FLAGS=--xla_x
echo "PJRT_DEVICE=TPU"
python train.py
