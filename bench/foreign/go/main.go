// The benchmarks in Go: requests (see child.mli), and what both programs share. The program is the sequential one if its
// name begins with "sequential", else the one with goroutines.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

type library struct {
	fib          func(n, cutoff int) int
	queens       func(n, cutoff int) int
	forIrregular func(results []int, chunk int)
	multiply     func(a, b, c [][]float64, chunk int)
	sum          func(a []float64, chunk int) float64
}

func timed(f func()) float64 {
	start := time.Now()
	f()
	return time.Since(start).Seconds()
}

func whole(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func run(l library, benchmark string, size, cutoff int) (seconds float64, result string, err error) {
	switch benchmark {
	case "fib":
		var n int
		seconds = timed(func() { n = l.fib(size, cutoff) })
		result = strconv.Itoa(n)
	case "nqueens":
		var n int
		seconds = timed(func() { n = l.queens(size, cutoff) })
		result = strconv.Itoa(n)
	case "for_irregular":
		results := make([]int, size)
		seconds = timed(func() { l.forIrregular(results, cutoff) })
		sum := 0
		for _, x := range results {
			sum += x
		}
		result = strconv.Itoa(sum)
	case "matmul":
		a, b := makeMatrix(size, 7, 3, 11), makeMatrix(size, 5, 2, 13)
		var c [][]float64
		seconds = timed(func() {
			for time := 0; time < 2; time++ {
				c = zeros(size)
				l.multiply(a, b, c, cutoff)
			}
		})
		sum := 0.
		for i, row := range c {
			for j, x := range row {
				sum += float64((1+i%3)*(1+j%5)) * x
			}
		}
		result = whole(sum)
	case "reduce":
		a := make([]float64, size)
		for i := range a {
			a[i] = float64(i + 1)
		}
		var sum float64
		seconds = timed(func() { sum = l.sum(a, cutoff) })
		result = whole(sum)
	default:
		err = fmt.Errorf("no such benchmark: %s", benchmark)
	}
	return
}

func main() {
	threads := 0
	if len(os.Args) == 2 {
		threads, _ = strconv.Atoi(os.Args[1])
	}
	if threads < 1 {
		fmt.Fprintln(os.Stderr, "usage: PROGRAM THREADS")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(threads)
	l := parallel
	if strings.HasPrefix(filepath.Base(os.Args[0]), "sequential") {
		l = sequential
	}
	fmt.Println("weft-rival 1")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var benchmark string
		var size, cutoff int
		fmt.Sscan(in.Text(), &benchmark, &size, &cutoff)
		runtime.GC()
		seconds, result, err := run(l, benchmark, size, cutoff)
		debug.FreeOSMemory()
		var answer any = map[string]any{"seconds": seconds, "result": result}
		if err != nil {
			answer = map[string]string{"error": err.Error()}
		}
		line, _ := json.Marshal(answer)
		fmt.Println(string(line))
	}
}
