def free():
    pass
