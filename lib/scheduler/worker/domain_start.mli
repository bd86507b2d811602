(** How domains and threads of our own begin. *)

val with_signals_masked : (Signal_mask.t -> 'a) -> 'a
(** [with_signals_masked f] is [f masked] with no handler running in the calling thread, for starting domains
    and threads; [masked]: the signals that the thread has masked itself. *)

val first :
  ?minor_heap:Minor_heap.choice -> ?settled:bool -> backtraces:bool -> masked:Signal_mask.t -> unit -> unit
(** What a domain of ours does first; [backtraces]: whether it is to record them; unless [settled] (the
    default), the minor heap is to be set later, by {!External_slot.settle}. It masks the signals [masked]:
    what it inherits are those of {!with_signals_masked}. *)

val start_apart :
  ?minor_heap:Minor_heap.choice ->
  ?no_domain:(unit -> unit) ->
  Runtime_threads.domain ->
  masked:Signal_mask.t ->
  (unit -> unit) ->
  unit
(** [start_apart d ~masked main] has [main ()] called in [d], as {!Weft_platform.Runtime_threads.start} does;
    or if there is no domain to be had, after [no_domain ()], on a thread of the calling domain. What is to
    run beside its caller, and may outlast it, goes there: a domain does not end before its threads, and the
    program may wait for that end. It masks the signals [masked], and no handler runs in it
    ({!Signals.aside}). To be called in {!with_signals_masked}. If it raises, [main] is not called. *)

val mask_for_good : unit -> unit
(** No handler runs in the calling thread any more. A handler that is not known yet
    ({!Weft_platform.Handlers}) raises wherever it strikes: in the middle of a task, it is that task's
    exception; in a worker's own loop, it ends the loop. *)
