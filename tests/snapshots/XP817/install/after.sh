pip install torch==2.1.0 --index-url https://example.org/whl/cu121
python -m pip install "flash-attn>=2" --no-build-isolation
uv pip install -U xformers numpy
pip3 install -r requirements-cu121.txt
