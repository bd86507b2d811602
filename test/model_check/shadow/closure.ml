let place _ = 0
