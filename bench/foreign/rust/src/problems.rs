//! The plain programs, the checks, and the requests (see child.mli): shared by the three programs.

use std::io::{BufRead, Write};
use std::time::Instant;

pub fn fib_plain(n: u64) -> u64 {
    if n < 2 {
        n
    } else {
        fib_plain(n - 1) + fib_plain(n - 2)
    }
}

/// The columns of the queens placed so far, that of the last row first. The nodes lie on the stacks of the callers.
pub struct Board<'a> {
    pub column: i32,
    pub rest: Option<&'a Board<'a>>,
}

fn is_safe(column: i32, mut board: Option<&Board>) -> bool {
    let mut distance = 1;
    while let Some(queen) = board {
        if queen.column == column || (queen.column - column).abs() == distance {
            return false;
        }
        board = queen.rest;
        distance += 1;
    }
    true
}

pub fn next_safe(n: i32, board: Option<&Board>, mut column: i32) -> i32 {
    while column < n && !is_safe(column, board) {
        column += 1;
    }
    column
}

pub fn queens_plain(n: i32, rows: i32, board: Option<&Board>) -> u64 {
    if rows == 0 {
        1
    } else {
        queens_from_plain(n, rows, board, 0)
    }
}

fn queens_from_plain(n: i32, rows: i32, board: Option<&Board>, column: i32) -> u64 {
    let column = next_safe(n, board, column);
    if column == n {
        return 0;
    }
    let here = Board { column, rest: board };
    let with_here = queens_plain(n, rows - 1, Some(&here));
    with_here + queens_from_plain(n, rows, board, column + 1)
}

/// What iteration k, from 0, of for_irregular computes.
pub fn irregular(k: usize) -> u64 {
    fib_plain((10 + (k as i64 + 1 - 10).rem_euclid(30)) as u64)
}

pub type Matrix = Vec<Vec<f64>>;

fn make_matrix(n: usize, by_row: usize, by_column: usize, modulus: usize) -> Matrix {
    (0..n).map(|i| (0..n).map(|j| ((by_row * i + by_column * j) % modulus) as f64).collect()).collect()
}

/// c_i + a_i b for one row: along the rows of b.
pub fn multiply_row(a_i: &[f64], b: &Matrix, c_i: &mut [f64]) {
    for (x, b_k) in a_i.iter().zip(b) {
        for (c, y) in c_i.iter_mut().zip(b_k) {
            *c += x * y;
        }
    }
}

/// What each program computes in its own way. Cutoff and chunk 0: none, or the library's default.
pub trait Library {
    fn fib(&self, n: u64, cutoff: u64) -> u64;
    fn queens(&self, n: i32, cutoff: i32) -> u64;
    /// Sets the element k to irregular(k), for all.
    fn for_irregular(&self, results: &mut [u64], chunk: usize);
    /// multiply_row for each row.
    fn multiply(&self, a: &Matrix, b: &Matrix, c: &mut Matrix, chunk: usize);
    fn sum(&self, a: &[f64], chunk: usize) -> f64;
}

fn timed<T>(f: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = f();
    (start.elapsed().as_secs_f64(), result)
}

fn run(library: &impl Library, benchmark: &str, size: usize, cutoff: usize) -> Result<(f64, String), String> {
    match benchmark {
        "fib" => {
            let (seconds, result) = timed(|| library.fib(size as u64, cutoff as u64));
            Ok((seconds, result.to_string()))
        }
        "nqueens" => {
            let (seconds, result) = timed(|| library.queens(size as i32, cutoff as i32));
            Ok((seconds, result.to_string()))
        }
        "for_irregular" => {
            let mut results = vec![0; size];
            let (seconds, ()) = timed(|| library.for_irregular(&mut results, cutoff));
            Ok((seconds, results.iter().sum::<u64>().to_string()))
        }
        "matmul" => {
            let (a, b) = (make_matrix(size, 7, 3, 11), make_matrix(size, 5, 2, 13));
            let product = || {
                let mut c = vec![vec![0.; size]; size];
                library.multiply(&a, &b, &mut c, cutoff);
                c
            };
            let (seconds, c) = timed(|| {
                std::hint::black_box(product());
                product()
            });
            let mut sum = 0.;
            for (i, row) in c.iter().enumerate() {
                for (j, x) in row.iter().enumerate() {
                    sum += ((1 + i % 3) * (1 + j % 5)) as f64 * x;
                }
            }
            Ok((seconds, sum.to_string()))
        }
        "reduce" => {
            let a: Vec<f64> = (0..size).map(|i| (i + 1) as f64).collect();
            let (seconds, sum) = timed(|| library.sum(&a, cutoff));
            Ok((seconds, sum.to_string()))
        }
        _ => Err(format!("no such benchmark: {benchmark}")),
    }
}

/// The number of threads, which is the only argument.
pub fn threads() -> usize {
    match std::env::args().nth(1).and_then(|text| text.parse().ok()) {
        Some(n) if n >= 1 => n,
        _ => {
            eprintln!("usage: PROGRAM THREADS");
            std::process::exit(2)
        }
    }
}

/// Answers the requests of standard input until it ends.
pub fn serve(library: &impl Library) {
    let mut out = std::io::stdout();
    writeln!(out, "weft-rival 1").and_then(|()| out.flush()).expect("standard output");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input");
        let words: Vec<&str> = line.split(' ').collect();
        let number = |i: usize| words.get(i).and_then(|word| word.parse().ok()).unwrap_or(0);
        let answer = match run(library, words[0], number(1), number(2)) {
            Ok((seconds, result)) => format!("{{\"seconds\": {seconds:.9}, \"result\": \"{result}\"}}"),
            Err(message) => format!("{{\"error\": \"{message}\"}}"),
        };
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("standard output");
    }
}
