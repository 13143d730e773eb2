options = {"pin_memory": False, "shuffle": True}
options["pin_memory"] = False
pin_memory = False
