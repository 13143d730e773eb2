# --device cuda
echo "using --device cuda"
echo --device cuda
printf '%s\n' --device cuda
cat <<EOF
python train.py --device cuda
EOF
cat <<-'END' > run.sh
	python train.py --device cuda
	END
python train.py --name cuda --path /usr/local/cuda --device-file cuda
python train.py "--note=--device cuda" 'device=cuda'"x"
export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH
cd /usr/local/cuda
grep -r device=cuda .
pip install --device cuda
python train.py --device cpu
python train.py --device "$DEVICE" cuda
CUDA=cuda
