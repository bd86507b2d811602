module Counter = Weft_batch.Counter

(* Any task may change the counter. *)
let () =
  let primes = Counter.create () in
  let is_prime n =
    let rec from d = d * d > n || (n mod d <> 0 && from (d + 1)) in
    n >= 2 && from 2
  in
  Weft.parallel_for ~start:1 ~finish:10_000 ~body:(fun n -> if is_prime n then Counter.incr primes) ();
  Printf.printf "%d primes below 10000\n" (Counter.get primes)
