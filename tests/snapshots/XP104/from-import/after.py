use = True
