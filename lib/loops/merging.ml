type t = { share : int; alone : bool; mutable block : int }

(* So many elements of either run are merged between two polls, at most. *)
let longest_block = 512

let start n =
  let workers = Current_worker.workers () in
  let alone = workers = 1 in
  (* Inside other loops that have left many jobs here, division can wait until thieves have taken them. *)
  let share =
    if Current_worker.is_profiled () then 0
    else if Current_worker.has_many_jobs ~workers then n
    else Grain.leaf n ~workers
  in
  { share; alone; block = (if alone then longest_block else 1) }

let worth_a_fork t n = (not t.alone) && n > t.block && (n > t.share || Current_worker.has_no_jobs ())

(* Then two clock readings cost more than a hundredth of the work. *)
let long_enough = 64
let is_measured t n = (not t.alone) && (n > long_enough || t.block < long_enough)

let learn t n ~ticks =
  let b = Grain.adapt n ~ticks in
  (* Work that was cut short is no evidence against a longer block. *)
  if b > t.block || ticks > Grain.long then t.block <- b

module Make (R : Runs.S) = struct
  let long_copy = 8192

  let copy a i b j n =
    if n < long_copy then R.copy a i b j n
    else
      Loop.blocks ~who:"" ~start:0 ~finish:(n - 1) (fun first last ->
          R.copy a (i + first) b (j + first) (last - first + 1))

  let move_home scratch home first n =
    try copy scratch first home first n
    with exn ->
      R.put_back scratch home first n;
      raise exn

  (* The first index from [low] on, up to [high], whose element does not come before element [i]. *)
  let rec not_before order a i low high =
    if low = high then low
    else
      let middle = low + ((high - low) / 2) in
      if R.in_order order a i a middle then not_before order a i low middle
      else not_before order a i (middle + 1) high

  (* The first index from [low] on, up to [high], whose element comes after element [j]. *)
  let rec after order a j low high =
    if low = high then low
    else
      let middle = low + ((high - low) / 2) in
      if R.in_order order a middle a j then after order a j (middle + 1) high else after order a j low middle

  let rec run t order (c : Runs.cursor) a left_end right_end b k =
    let on_left = left_end - c.left and on_right = right_end - c.right in
    let n = on_left + on_right in
    if on_left = 0 then copy a c.right b k on_right
    else if on_right = 0 then copy a c.left b k on_left
    else if n > 2 && worth_a_fork t n then divide t order c a left_end right_end b k
    else begin
      Current_worker.poll ();
      let is_measured = is_measured t n in
      let before = if is_measured then Tsc.now () else 0 in
      let limit start finish = if finish - start > t.block then start + t.block else finish in
      R.merge order c a (limit c.left left_end) (limit c.right right_end) b k;
      let merged = n - (left_end - c.left) - (right_end - c.right) in
      if is_measured then learn t merged ~ticks:(Tsc.now () - before);
      run t order c a left_end right_end b (k + merged)
    end

  (* At least one of three elements goes to each side. *)
  and divide t order c a left_end right_end b k =
    let i = c.left and j = c.right in
    let p, q =
      if left_end - i >= right_end - j then
        let p = i + ((left_end - i) / 2) in
        (p, not_before order a p j right_end)
      else
        let q = j + ((right_end - j) / 2) in
        (after order a q i left_end, q)
    in
    let (), () =
      Fork_join.par
        (fun () -> merge t order a i p j q b k)
        (fun () -> merge t order a p left_end q right_end b (k + p - i + q - j))
    in
    ()

  and merge t order a left left_end right right_end b k = run t order { left; right } a left_end right_end b k
end
