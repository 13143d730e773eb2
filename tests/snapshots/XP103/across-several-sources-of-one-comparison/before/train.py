from common import prepare

prepare("cuda:0")
