

def free():
    pass
