let all = [ Fib.benchmark; Nqueens.benchmark ]
