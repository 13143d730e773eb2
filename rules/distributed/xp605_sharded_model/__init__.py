"""XP605, sharded-model: FullyShardedDataParallel, fully_shard, DTensor: how a TPU shards a model."""
