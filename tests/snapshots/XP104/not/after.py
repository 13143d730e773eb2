cpu_only = False
