(* Workers take tasks from one channel, and send results over another. Both are bounded: a side that is too
   fast waits for the others. Waiting suspends a fiber; it blocks no domain. *)

module Chan = Weft.Chan
module Scope = Weft.Scope

(* Task [n]: the number of primes below [n]. *)
let primes_below n =
  let rec has_divisor_from d n = d * d <= n && (n mod d = 0 || has_divisor_from (d + 1) n) in
  let rec count found i =
    if i >= n then found else count (if has_divisor_from 2 i then found else found + 1) (i + 1)
  in
  count 0 2

let generate tasks =
  for i = 1 to 50 do
    Chan.send tasks (100 * i)
  done;
  Chan.close tasks

(* Takes tasks until their channel is closed and empty. *)
let work tasks results = Chan.iter (fun n -> Chan.send results (n, primes_below n)) tasks

let all_results ~workers =
  let tasks = Chan.bounded 8 and results = Chan.bounded 8 in
  Scope.run (fun scope ->
      Scope.start scope (fun () -> generate tasks);
      Scope.start scope (fun () ->
          (* The inner scope ends when all workers have: then there are no more results. *)
          Scope.run (fun scope ->
              for _ = 1 to workers do
                Scope.start scope (fun () -> work tasks results)
              done);
          Chan.close results);
      List.of_seq (Chan.to_seq results))

let () =
  let print (n, primes) = if n mod 1000 = 0 then Printf.printf "%3d primes below %d\n" primes n in
  (* Results come in any order. *)
  List.iter print (List.sort compare (all_results ~workers:4))
