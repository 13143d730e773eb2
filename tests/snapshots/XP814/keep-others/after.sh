# CUDA_VISIBLE_DEVICES=0
OMP_NUM_THREADS=4 python train.py
echo "CUDA_VISIBLE_DEVICES=0 python train.py"
export LD_LIBRARY_PATH=/usr/local/cuda/lib64
export PATH=/usr/local/cuda/bin:$PATH
MY_CUDA_VISIBLE_DEVICES=0 python a.py
cat <<EOF
CUDA_VISIBLE_DEVICES=0 python train.py
EOF
