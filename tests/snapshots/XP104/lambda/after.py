
check = lambda: True
