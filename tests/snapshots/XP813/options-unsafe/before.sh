#!/bin/bash
# python train.py --device cuda
python train.py --device cuda --epochs 3   # --device cuda
python train.py \
    --eval-device=cuda:0 \
    --device "cuda:1" "--teacher-device=cuda"
python main.py trainer.accelerator=gpu +model.device=cuda out=/tmp/cuda
python tools/train.py --num 1 MODEL.DEVICE cuda
python cli.py fit --trainer.accelerator gpu
DEVICE=cuda
export EVAL_DEVICE="cuda:0"
python eval.py --device ${DEVICE:-cuda}
ARGS=(--device cuda --lr 1)
N=$(python count.py --device cuda)
EXTRA="--lr 1 --device cuda"
NOTE="use the cuda device"
HELP="cuda, or --cpu"
bash -c "python train.py --device cuda"
eval 'python train.py --device cuda'
for device in cuda cpu; do python train.py --device $device; done
for name in cuda cpu; do echo $name; done
MY_DEVICE="cuda:$RANK"
python train.py --device cuda:${RANK} --device "$OTHER"
