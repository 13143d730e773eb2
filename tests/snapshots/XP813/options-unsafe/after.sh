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
bash -c "python train.py --device xla"
eval 'python train.py --device xla'
for device in cuda cpu; do python train.py --device $device; done
for name in cuda cpu; do echo $name; done
MY_DEVICE="cuda:$RANK"
python train.py --device cuda:${RANK} --device "$OTHER"
