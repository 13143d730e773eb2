check = lambda: True
