let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

let () =
  let later = Weft.async (fun () -> fib 20) in
  Printf.printf "fib 30 = %d\n" (fib 30);
  Printf.printf "fib 20 = %d\n" (Weft.await later)
