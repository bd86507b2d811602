(* Very many small tasks, awaited in the order in which they were started; and in the other order. *)

module T = Domainslib.Task

let run ~domains ~size =
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  let total order =
    T.run pool (fun () ->
        let tasks = List.init size (fun i -> T.async pool (fun () -> i land 7)) in
        List.fold_left (fun n task -> n + T.await pool task) 0 (order tasks))
  in
  let forwards = total Fun.id in
  let backwards = total List.rev in
  T.teardown_pool pool;
  Printf.printf "%d tasks: %d, %d\n" size forwards backwards
