class Robot:
    def cuda(self, what="arm"):
        return what


Robot().cuda()
r = Robot()
r.cuda("foo")
r.cuda()
