
run()
