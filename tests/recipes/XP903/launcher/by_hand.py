print("started on every host")
