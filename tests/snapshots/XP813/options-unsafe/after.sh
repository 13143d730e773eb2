#!/bin/bash
# python train.py --device cuda
python train.py --device xla --epochs 3   # --device cuda
python train.py \
    --eval-device=xla \
    --device "xla" "--teacher-device=xla"
python main.py trainer.accelerator=tpu +model.device=xla out=/tmp/cuda
python tools/train.py --num 1 MODEL.DEVICE xla
python cli.py fit --trainer.accelerator tpu
DEVICE=xla
export EVAL_DEVICE="xla"
python eval.py --device ${DEVICE:-xla}
ARGS=(--device xla --lr 1)
N=$(python count.py --device xla)
EXTRA="--lr 1 --device xla"
NOTE="use the cuda device"
HELP="cuda, or --cpu"
