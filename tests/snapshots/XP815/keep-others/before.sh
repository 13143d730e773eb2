# torchrun train.py
#SBATCH --partition=gpu
#SBATCH --mem=32G
# SBATCH --gres=gpu:1
echo torchrun train.py --gpus 4
which nvidia-smi
pip install deepspeed
accelerate launch --num_processes 8 --mixed_precision bf16 train.py
python train.py --gpus 0 --fp16 false --precision 32 --backend gloo --fp16-init-scale 4
python nvidia-smi.py
cp torchrun.log nvidia-smi
docker run --rm image
docker pull nvidia/cuda:12.1
