//! rayon: join for forks, parallel iterators for loops.

mod problems;
use problems::*;
use rayon::prelude::*;

struct Rayon {
    pool: rayon::ThreadPool,
}

fn fib(n: u64, cutoff: u64) -> u64 {
    if n < 2 {
        n
    } else if n <= cutoff {
        fib_plain(n)
    } else {
        let (a, b) = rayon::join(|| fib(n - 1, cutoff), || fib(n - 2, cutoff));
        a + b
    }
}

fn queens(n: i32, rows: i32, board: Option<&Board>, cutoff: i32) -> u64 {
    if rows <= cutoff {
        queens_plain(n, rows, board)
    } else {
        queens_from(n, rows, board, 0, cutoff)
    }
}

fn queens_from(n: i32, rows: i32, board: Option<&Board>, column: i32, cutoff: i32) -> u64 {
    let column = next_safe(n, board, column);
    if column == n {
        return 0;
    }
    let here = Board { column, rest: board };
    let (a, b) = rayon::join(
        || queens(n, rows - 1, Some(&here), cutoff),
        || queens_from(n, rows, board, column + 1, cutoff),
    );
    a + b
}

/// The chunk as the greatest number of elements in a row.
fn at_most(chunk: usize) -> usize {
    if chunk == 0 {
        usize::MAX
    } else {
        chunk
    }
}

impl Library for Rayon {
    fn fib(&self, n: u64, cutoff: u64) -> u64 {
        self.pool.install(|| fib(n, cutoff))
    }

    fn queens(&self, n: i32, cutoff: i32) -> u64 {
        self.pool.install(|| queens(n, n, None, cutoff))
    }

    fn for_irregular(&self, results: &mut [u64], chunk: usize) {
        self.pool.install(|| {
            results.par_iter_mut().with_max_len(at_most(chunk)).enumerate().for_each(|(k, result)| *result = irregular(k))
        })
    }

    fn multiply(&self, a: &Matrix, b: &Matrix, c: &mut Matrix, chunk: usize) {
        self.pool.install(|| {
            c.par_iter_mut().with_max_len(at_most(chunk)).enumerate().for_each(|(i, c_i)| multiply_row(&a[i], b, c_i))
        })
    }

    fn sum(&self, a: &[f64], chunk: usize) -> f64 {
        self.pool.install(|| a.par_iter().with_max_len(at_most(chunk)).sum())
    }
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads()).build().expect("a pool of threads");
    serve(&Rayon { pool })
}
