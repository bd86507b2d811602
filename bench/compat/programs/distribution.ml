(* Work handed out over a channel to tasks, results over another; then the same with plain domains. *)

module C = Domainslib.Chan
module T = Domainslib.Task

type order = Square of int | Stop

let rec worker orders results =
  match C.recv orders with
  | Square n ->
      C.send results (n * n);
      worker orders results
  | Stop -> ()

let hand_out orders ~size ~workers =
  for n = 1 to size do
    C.send orders (Square n)
  done;
  for _ = 1 to workers do
    C.send orders Stop
  done

let collect results size =
  let total = ref 0 in
  for _ = 1 to size do
    total := !total + C.recv results
  done;
  !total

(* Results have room for all, so that no worker waits for whoever collects: that is done when all have
   ended. *)
let run ~domains ~size =
  let workers = domains in
  let orders = C.make_unbounded () and results = C.make_unbounded () in
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  T.run pool (fun () ->
      hand_out orders ~size ~workers;
      let tasks = List.init workers (fun _ -> T.async pool (fun () -> worker orders results)) in
      List.iter (T.await pool) tasks);
  T.teardown_pool pool;
  Printf.printf "by tasks: %d\n" (collect results size);
  let orders = C.make_bounded 8 and results = C.make_bounded 4 in
  let others = List.init 2 (fun _ -> Domain.spawn (fun () -> worker orders results)) in
  let giver = Domain.spawn (fun () -> hand_out orders ~size ~workers:2) in
  let total = collect results size in
  List.iter Domain.join (giver :: others);
  Printf.printf "by domains: %d\n" total
