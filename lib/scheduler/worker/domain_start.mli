(** How domains and threads of our own begin. *)

val with_signals_masked : (Signal_mask.t -> 'a) -> 'a
(** [with_signals_masked f] is [f masked] with all signals masked in the calling thread, so that no handler
    runs there; for starting domains and threads. [masked] is the mask that the thread had before. *)

val prepare :
  ?minor_heap:Minor_heap.choice -> ?sized:bool -> backtraces:bool -> masked:Signal_mask.t -> unit -> unit
(** What a domain of Weft's does before anything else: sets its signal mask to [masked] (until then it has the
    inherited one of {!with_signals_masked}) and whether it records [backtraces]. With [~sized:false],
    {!External_slot.size_minor_heap} sets its minor heap later. *)

val start_apart :
  ?minor_heap:Minor_heap.choice ->
  ?no_domain:(unit -> unit) ->
  Runtime_threads.domain ->
  masked:Signal_mask.t ->
  (unit -> unit) ->
  unit
(** [start_apart d ~masked main] calls [main ()] in [d], as {!Weft_platform.Runtime_threads.start} does. If no
    domain can be had, it calls [no_domain ()], and then [main] on a thread of the calling domain. It is for
    what runs beside its caller and may outlast it: a domain does not end before its threads, and the program
    may wait for that end. The domain masks the signals [masked], and no handler runs in it
    ({!Signals.aside}). Call it in {!with_signals_masked}. If it raises, [main] is not called. *)

val mask_for_good : unit -> unit
(** From now on no handler runs in the calling thread. Until then a handler that is not known yet
    ({!Weft_platform.Handlers}) may raise anywhere: in the middle of a task, the exception is that task's; in
    a worker's own loop, it ends the loop. *)
