def show(x):
    print(f"{x.cuda()=}")
