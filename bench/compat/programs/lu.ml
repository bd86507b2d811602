(* LU decomposition without pivoting: a short loop after the other. *)

module T = Domainslib.Task

let decompose pool a =
  let n = Array.length a in
  for k = 0 to n - 2 do
    T.parallel_for pool ~start:(k + 1) ~finish:(n - 1) ~body:(fun i ->
        let row = a.(i) and pivot = a.(k) in
        let factor = row.(k) /. pivot.(k) in
        row.(k) <- factor;
        for j = k + 1 to n - 1 do
          row.(j) <- row.(j) -. (factor *. pivot.(j))
        done)
  done

let run ~domains ~size =
  let random = Random.State.make [| size |] in
  let a =
    Array.init size (fun i ->
        Array.init size (fun j -> Random.State.float random 2. -. 1. +. if i = j then float size else 0.))
  in
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  T.run pool (fun () -> decompose pool a);
  T.teardown_pool pool;
  let trace = ref 0. and last = a.(size - 1).(size - 1) in
  Array.iteri (fun i row -> trace := !trace +. row.(i)) a;
  Printf.printf "LU of %d: trace %h, last %h\n" size !trace last
