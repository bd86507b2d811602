let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let () =
  (* By hand: one more domain, which takes one of the two parts. *)
  let other = Domain.spawn (fun () -> fib 24) in
  let mine = fib 23 in
  Printf.printf "%d\n" (mine + Domain.join other);
  (* With Weft: what could run at the same time is said; who runs it is not. *)
  let a, b = Weft.par (fun () -> fib 24) (fun () -> fib 23) in
  Printf.printf "%d\n" (a + b)
