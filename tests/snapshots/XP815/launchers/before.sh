#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gres=gpu:4
#SBATCH --gpus-per-node=8
nvidia-smi
N=$(nvidia-smi -L | wc -l)
torchrun --nproc_per_node=8 train.py --dist-backend nccl --fp16
srun --gres=gpu:1 python -m torch.distributed.launch --nproc_per_node $N train.py
python3 -u -m torch.distributed.run train.py
accelerate launch --multi_gpu --num_processes 4 --mixed_precision fp16 train.py
deepspeed train.py --deepspeed ds.json
docker run --rm --gpus all image python train.py
/usr/bin/nsys profile python train.py
python train.py --gpus 4 --gpu 0 --num-gpus=$N --precision 16-mixed --use_cuda
sbatch_args="$sbatch_args --gpus-per-node=1 --mem=0"
sudo docker run --gpus '"device=0"' --runtime=nvidia image
