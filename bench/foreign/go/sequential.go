package main

func fibPlain(n int) int {
	if n < 2 {
		return n
	}
	return fibPlain(n-1) + fibPlain(n-2)
}

// The columns of the queens placed so far, that of the last row first.
type board struct {
	column int
	rest   *board
}

func isSafe(column int, b *board) bool {
	for distance := 1; b != nil; distance++ {
		apart := b.column - column
		if apart == 0 || apart == distance || apart == -distance {
			return false
		}
		b = b.rest
	}
	return true
}

func nextSafe(n int, b *board, column int) int {
	for column < n && !isSafe(column, b) {
		column++
	}
	return column
}

func queensPlain(n, rows int, b *board) int {
	if rows == 0 {
		return 1
	}
	return queensFromPlain(n, rows, b, 0)
}

func queensFromPlain(n, rows int, b *board, column int) int {
	column = nextSafe(n, b, column)
	if column == n {
		return 0
	}
	here := queensPlain(n, rows-1, &board{column, b})
	return here + queensFromPlain(n, rows, b, column+1)
}

// What iteration k, from 0, of for_irregular computes.
func irregular(k int) int { return fibPlain(10 + ((k+1-10)%30+30)%30) }

func zeros(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

func makeMatrix(n, byRow, byColumn, modulus int) [][]float64 {
	m := zeros(n)
	for i := range m {
		for j := range m[i] {
			m[i][j] = float64((byRow*i + byColumn*j) % modulus)
		}
	}
	return m
}

// ci + ai b for one row: along the rows of b.
func multiplyRow(ai []float64, b [][]float64, ci []float64) {
	for k, x := range ai {
		bk := b[k][:len(ci)]
		for j := range ci {
			ci[j] += x * bk[j]
		}
	}
}

func sumPlain(a []float64) float64 {
	sum := 0.
	for _, x := range a {
		sum += x
	}
	return sum
}

var sequential = library{
	fib:    func(n, _ int) int { return fibPlain(n) },
	queens: func(n, _ int) int { return queensPlain(n, n, nil) },
	forIrregular: func(results []int, _ int) {
		for k := range results {
			results[k] = irregular(k)
		}
	},
	multiply: func(a, b, c [][]float64, _ int) {
		for i := range a {
			multiplyRow(a[i], b, c[i])
		}
	},
	sum: func(a []float64, _ int) float64 { return sumPlain(a) },
}
