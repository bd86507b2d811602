let holds n = n <= 1 lsl 15
