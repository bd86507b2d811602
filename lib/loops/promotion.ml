let queue j = Worker.put_back (Job.T j) (Current_worker.worker ()).parts.home

let enter_again deque (loop : Loops.t) =
  (match loop with Loop l -> l.is_promoted <- false | No_loop -> ());
  Loops.set deque loop

let both f g =
  let deque = Current_worker.deque () in
  let outer = Loops.here deque and promoted = ref None in
  let promote () context =
    let j = Job.fork context g in
    promoted := Some j;
    queue j
  in
  Loops.enter deque ~outer () promote;
  match f () with
  | a ->
      Loops.set (Current_worker.deque ()) outer;
      (a, Option.map Fork_join.join !promoted)
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      Loops.set (Current_worker.deque ()) outer;
      match !promoted with
      | Some j -> Fork_join.left_failed j exn
      | None -> Printexc.raise_with_backtrace exn backtrace)
