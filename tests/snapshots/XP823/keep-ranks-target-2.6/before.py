import ignite.distributed as idist

rank = idist.get_rank()
