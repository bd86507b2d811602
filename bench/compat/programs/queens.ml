(* In how many ways can n queens stand on a board without attacking each other? A task for each place of
   the first rows. *)

open Domainslib

let rec free (column : int) distance = function
  | [] -> true
  | other :: others ->
      column <> other && abs (column - other) <> distance && free column (distance + 1) others

let rec count_from n row placed =
  if row = n then 1
  else
    let total = ref 0 in
    for column = 0 to n - 1 do
      if free column 1 placed then total := !total + count_from n (row + 1) (column :: placed)
    done;
    !total

let rec count pool n row placed =
  if row >= 3 then count_from n row placed
  else
    let start column =
      if free column 1 placed then
        Some (Task.async pool (fun () -> count pool n (row + 1) (column :: placed)))
      else None
    in
    let tasks = List.filter_map start (List.init n Fun.id) in
    List.fold_left (fun total task -> total + Task.await pool task) 0 tasks

let run ~domains ~size =
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let ways = Task.run pool (fun () -> count pool size 0 []) in
  Task.teardown_pool pool;
  Printf.printf "%d queens: %d ways\n" size ways
