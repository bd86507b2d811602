(* Conway's game of life on a torus. *)

module T = Domainslib.Task

let step pool size (now : Bytes.t array) next =
  let wrap k = (k + size) mod size in
  let alive i j = if Bytes.get now.(wrap i) (wrap j) = '#' then 1 else 0 in
  T.parallel_for pool ~start:0 ~finish:(size - 1) ~body:(fun i ->
      for j = 0 to size - 1 do
        let around =
          alive (i - 1) (j - 1)
          + alive (i - 1) j
          + alive (i - 1) (j + 1)
          + alive i (j - 1)
          + alive i (j + 1)
          + alive (i + 1) (j - 1)
          + alive (i + 1) j
          + alive (i + 1) (j + 1)
        in
        let lives = around = 3 || (around = 2 && alive i j = 1) in
        Bytes.set next.(i) j (if lives then '#' else '.')
      done)

let run ~domains ~size =
  let random = Random.State.make [| 7 |] in
  let cell _ = if Random.State.int random 3 = 0 then '#' else '.' in
  let board = Array.init size (fun _ -> Bytes.init size cell) in
  let other = Array.map Bytes.copy board in
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  T.run pool (fun () ->
      for _ = 1 to 16 do
        step pool size board other;
        step pool size other board
      done);
  T.teardown_pool pool;
  let all = Bytes.concat Bytes.empty (Array.to_list board) in
  let living = Bytes.fold_left (fun n c -> if c = '#' then n + 1 else n) 0 all in
  Printf.printf "%d x %d after 32 generations: %d live, %s\n" size size living
    (Digest.to_hex (Digest.bytes all))
