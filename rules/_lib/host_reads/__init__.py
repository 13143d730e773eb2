"""What several rules of host_reads ask or write."""
