(* A program that uses only [Weft.par]: the profiler must be linked into it all the same. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let () = Printf.printf "fib: %d\n" (fib 15)
