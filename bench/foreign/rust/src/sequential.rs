//! The plain programs.

mod problems;
use problems::*;

struct Sequential;

impl Library for Sequential {
    fn fib(&self, n: u64, _: u64) -> u64 {
        fib_plain(n)
    }

    fn queens(&self, n: i32, _: i32) -> u64 {
        queens_plain(n, n, None)
    }

    fn for_irregular(&self, results: &mut [u64], _: usize) {
        for (k, result) in results.iter_mut().enumerate() {
            *result = irregular(k);
        }
    }

    fn multiply(&self, a: &Matrix, b: &Matrix, c: &mut Matrix, _: usize) {
        for (a_i, c_i) in a.iter().zip(c) {
            multiply_row(a_i, b, c_i);
        }
    }

    fn sum(&self, a: &[f64], _: usize) -> f64 {
        a.iter().sum()
    }
}

fn main() {
    threads();
    serve(&Sequential)
}
