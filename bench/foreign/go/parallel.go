package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A goroutine for one side of each fork; it answers through a channel with room for its answer.

func fib(n, cutoff int) int {
	if n < 2 {
		return n
	}
	if n <= cutoff {
		return fibPlain(n)
	}
	left := make(chan int, 1)
	go func() { left <- fib(n-1, cutoff) }()
	right := fib(n-2, cutoff)
	return <-left + right
}

func queens(n, rows int, b *board, cutoff int) int {
	if rows <= cutoff {
		return queensPlain(n, rows, b)
	}
	return queensFrom(n, rows, b, 0, cutoff)
}

func queensFrom(n, rows int, b *board, column, cutoff int) int {
	column = nextSafe(n, b, column)
	if column == n {
		return 0
	}
	here := make(chan int, 1)
	go func() { here <- queens(n, rows-1, &board{column, b}, cutoff) }()
	right := queensFrom(n, rows, b, column+1, cutoff)
	return <-here + right
}

// Go has no parallel loops: as many goroutines as threads take one chunk after the other.
func loop(n, chunk int, body func(first, end int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for t := runtime.GOMAXPROCS(0); t > 0; t-- {
		all.Add(1)
		go func() {
			defer all.Done()
			for {
				end := int(next.Add(int64(chunk)))
				first := end - chunk
				if first >= n {
					return
				}
				body(first, min(end, n))
			}
		}()
	}
	all.Wait()
}

func or(chunk, fallback int) int {
	if chunk == 0 {
		return fallback
	}
	return chunk
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// Rows and irregular iterations one by one, sums in eight parts for each thread.
var parallel = library{
	fib:    fib,
	queens: func(n, cutoff int) int { return queens(n, n, nil, cutoff) },
	forIrregular: func(results []int, chunk int) {
		loop(len(results), or(chunk, 1), func(first, end int) {
			for k := first; k < end; k++ {
				results[k] = irregular(k)
			}
		})
	},
	multiply: func(a, b, c [][]float64, chunk int) {
		loop(len(a), or(chunk, 1), func(first, end int) {
			for i := first; i < end; i++ {
				multiplyRow(a[i], b, c[i])
			}
		})
	},
	sum: func(a []float64, chunk int) float64 {
		chunk = or(chunk, len(a)/(8*runtime.GOMAXPROCS(0))+1)
		sums := make([]float64, (len(a)+chunk-1)/chunk)
		loop(len(a), chunk, func(first, end int) { sums[first/chunk] = sumPlain(a[first:end]) })
		return sumPlain(sums)
	},
}
