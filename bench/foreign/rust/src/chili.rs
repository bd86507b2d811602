//! chili: join for forks. It has no loops: they are halved by join down to single iterations or rows, sums down to
//! 4096 elements, or to the chunk.

mod problems;
use chili::{Config, Scope, ThreadPool};
use problems::*;
use std::num::NonZero;

struct Chili {
    pool: ThreadPool,
}

impl Chili {
    /// The main thread works too, beside one other at least.
    fn new(threads: usize) -> Self {
        let Some(others) = NonZero::new(threads - 1) else {
            eprintln!("chili has two threads at least");
            std::process::exit(2)
        };
        let config = Config { thread_count: Some(others), ..Config::default() };
        Chili { pool: ThreadPool::with_config(config) }
    }

    fn enter<T>(&self, f: impl FnOnce(&mut Scope) -> T) -> T {
        f(&mut self.pool.scope())
    }
}

fn fib(scope: &mut Scope, n: u64, cutoff: u64) -> u64 {
    if n < 2 {
        n
    } else if n <= cutoff {
        fib_plain(n)
    } else {
        let (a, b) = scope.join(|s| fib(s, n - 1, cutoff), |s| fib(s, n - 2, cutoff));
        a + b
    }
}

fn queens(scope: &mut Scope, n: i32, rows: i32, board: Option<&Board>, cutoff: i32) -> u64 {
    if rows <= cutoff {
        queens_plain(n, rows, board)
    } else {
        queens_from(scope, n, rows, board, 0, cutoff)
    }
}

fn queens_from(scope: &mut Scope, n: i32, rows: i32, board: Option<&Board>, column: i32, cutoff: i32) -> u64 {
    let column = next_safe(n, board, column);
    if column == n {
        return 0;
    }
    let here = Board { column, rest: board };
    let (a, b) = scope.join(
        |s| queens(s, n, rows - 1, Some(&here), cutoff),
        |s| queens_from(s, n, rows, board, column + 1, cutoff),
    );
    a + b
}

/// body(k, element) for all elements, the first of which is number `first`.
fn for_each<T: Send>(scope: &mut Scope, items: &mut [T], first: usize, chunk: usize, body: &(impl Fn(usize, &mut T) + Sync)) {
    if items.len() <= chunk {
        for (k, item) in items.iter_mut().enumerate() {
            body(first + k, item)
        }
    } else {
        let middle = items.len() / 2;
        let (left, right) = items.split_at_mut(middle);
        scope.join(|s| for_each(s, left, first, chunk, body), |s| for_each(s, right, first + middle, chunk, body));
    }
}

fn sum(scope: &mut Scope, a: &[f64], chunk: usize) -> f64 {
    if a.len() <= chunk {
        a.iter().sum()
    } else {
        let (left, right) = a.split_at(a.len() / 2);
        let (x, y) = scope.join(|s| sum(s, left, chunk), |s| sum(s, right, chunk));
        x + y
    }
}

fn or(chunk: usize, default: usize) -> usize {
    if chunk == 0 {
        default
    } else {
        chunk
    }
}

impl Library for Chili {
    fn fib(&self, n: u64, cutoff: u64) -> u64 {
        self.enter(|s| fib(s, n, cutoff))
    }

    fn queens(&self, n: i32, cutoff: i32) -> u64 {
        self.enter(|s| queens(s, n, n, None, cutoff))
    }

    fn for_irregular(&self, results: &mut [u64], chunk: usize) {
        self.enter(|s| for_each(s, results, 0, or(chunk, 1), &|k, result: &mut u64| *result = irregular(k)))
    }

    fn multiply(&self, a: &Matrix, b: &Matrix, c: &mut Matrix, chunk: usize) {
        self.enter(|s| for_each(s, c, 0, or(chunk, 1), &|i, c_i: &mut Vec<f64>| multiply_row(&a[i], b, c_i)))
    }

    fn sum(&self, a: &[f64], chunk: usize) -> f64 {
        self.enter(|s| sum(s, a, or(chunk, 4096)))
    }
}

fn main() {
    serve(&Chili::new(threads()))
}
