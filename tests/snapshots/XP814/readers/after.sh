GPUS=$CUDA_VISIBLE_DEVICES
echo "$CUDA_VISIBLE_DEVICES"
sbatch --export=ALL,NCCL_DEBUG=INFO job.sh
ssh host "CUDA_VISIBLE_DEVICES=0 python train.py"
python train.py --gpus ${CUDA_VISIBLE_DEVICES//,/ }
python a.py CUDA_VISIBLE_DEVICES=0
unset CUDA_VISIBLE_DEVICES
