FROM python:3.11
# ENV DEVICE=cuda
ENV DEVICE=cuda NAME="cuda"
LABEL device=cuda
RUN pip install numpy && \
    # --device cuda
    python warm.py --device cuda
CMD ["python", "train.py", "--device", "cuda"]
