FROM python:3.11
# ENV DEVICE=cuda
ENV DEVICE=xla NAME="cuda"
LABEL device=cuda
RUN pip install numpy && \
    # --device cuda
    python warm.py --device xla
CMD ["python", "train.py", "--device", "xla"]
