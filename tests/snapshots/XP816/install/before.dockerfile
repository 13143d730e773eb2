FROM python:3.11
RUN pip install --no-cache-dir -r requirements.txt "torch==2.1.0" torchvision
