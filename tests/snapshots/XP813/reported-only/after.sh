python train.py --device cuda
