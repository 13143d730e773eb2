FROM python:3.11-slim
FROM --platform=linux/amd64 barracuda/base:1
COPY cuda /usr/local/cuda
LABEL gpus=4
RUN apt-get install -y nvidia-settings-doc
