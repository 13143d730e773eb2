# pip install flash-attn
echo pip install flash-attn
cp flash-attn xformers
pip uninstall -y flash-attn
pip install -r xformers
apt-get install apex
