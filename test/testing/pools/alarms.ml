exception Alarm

let with_alarms ~every f =
  (* Outside of a call that works or waits, a handler would run in the middle of whatever the thread does. *)
  let over = Atomic.make false in
  let handler _ = if Weft_scheduler.Signals.computations () > 0 && not (Atomic.get over) then raise Alarm in
  let before = Sys.signal Sys.sigalrm (Signal_handle handler) in
  let timer i = ignore (Unix.setitimer ITIMER_REAL { it_interval = i; it_value = i }) in
  (* The last alarm may arrive later than this. *)
  let stop () =
    Atomic.set over true;
    timer 0.;
    Sys.set_signal Sys.sigalrm before
  in
  Fun.protect ~finally:stop (fun () -> f (fun () -> timer every))
