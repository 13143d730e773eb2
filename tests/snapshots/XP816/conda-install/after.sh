conda install -y -c pytorch pytorch=2.1 torchvision
