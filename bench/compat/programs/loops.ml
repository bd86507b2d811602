(* Loops with cheap bodies: with the chunk that the library chooses, and with chunks so small that the
   loop is most of the work. *)

module T = Domainslib.Task

let fill ?chunk_size ~domains ~size () =
  let a = Array.make size 0 in
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  T.run pool (fun () ->
      for round = 1 to 10 do
        T.parallel_for ?chunk_size ~start:0 ~finish:(size - 1) ~body:(fun i -> a.(i) <- i + round) pool
      done);
  T.teardown_pool pool;
  Printf.printf "%d elements, sum %d\n" size (Array.fold_left ( + ) 0 a)

let default ~domains ~size = fill ~domains ~size ()
let chunk_4 ~domains ~size = fill ~chunk_size:4 ~domains ~size ()

(* Iterations from cheap to dear. *)
let uneven ~domains ~size =
  let rec steps n = if n = 1 then 0 else 1 + steps (if n land 1 = 0 then n / 2 else (3 * n) + 1) in
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  let most =
    T.run pool (fun () ->
        T.parallel_for_reduce ~start:1 ~finish:size ~body:(fun i -> (steps i, -i)) pool max (0, 0))
  in
  T.teardown_pool pool;
  Printf.printf "most steps up to %d: %d, from %d\n" size (fst most) (-snd most)

(* A loop in a loop in a loop. *)
let nested ~domains ~size =
  let total = Atomic.make 0 in
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  T.run pool (fun () ->
      T.parallel_for pool ~start:1 ~finish:size ~body:(fun i ->
          T.parallel_for pool ~start:1 ~finish:i ~body:(fun j ->
              let inner = T.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:j ~body:(fun k -> k land 3) in
              ignore (Atomic.fetch_and_add total inner))));
  T.teardown_pool pool;
  Printf.printf "nested to %d: %d\n" size (Atomic.get total)
