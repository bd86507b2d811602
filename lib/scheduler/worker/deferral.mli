(** For how long thieves leave a job alone that was pushed by {!Deque.push_deferred}.

    Such a job is the rest of a loop, or of a pipeline, whose next items should be over before a thief could
    help; or its fiber is stuck. Whoever looks first notes which job lies at the top, by its index, and when.
    As long as the owner gets on, the next look finds another index. A job that has lain for as long as its
    loop should take is taken like any other. So a worker that looks again and again, as one that waits does
    whenever the alarm goes off, takes it at last. *)

type t
(** Of one deque. Read and written by thieves without order: a wrong answer costs a steal, or some
    microseconds. *)

val make : unit -> t

val is_put_off : t -> top:int -> now:int -> bool
(** Whether to leave alone what lies at index [top] and is deferred, at this time ({!Weft_platform.Tsc.now}).
*)
