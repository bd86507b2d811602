(* Two readings are some 40 ns: less than a hundredth of the shortest block that is worth telling of, with the telling. *)
let long = 20_000

(* The fiber may go on elsewhere, or have waited while its worker did other work. *)
let body f first last =
  let w = Worker.of_deque (Current_worker.deque ()) in
  let jobs = w.jobs and began = Tsc.now () in
  f first last;
  let ended = Tsc.now () in
  if ended - began > long then
    let alone = Current_worker.deque () == w.deque && w.jobs = jobs in
    !Trace_hooks.listener.block_ended ~first ~last ~began ~ended ~alone
