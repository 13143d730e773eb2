
cpu_only = False
