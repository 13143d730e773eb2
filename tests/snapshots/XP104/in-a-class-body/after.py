class Config:
    gpu = True
    workers = 4
