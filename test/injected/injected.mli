(** Exceptions as signal handlers raise them, at every place where a handler may run because code allocates.
*)

exception Interrupted

val at_allocation :
  ?modules:string -> ?but:string -> ?pause:(unit -> unit) -> int -> ((unit -> unit) -> unit) -> bool
(** [at_allocation k f] is [f start]; from [start ()] on, the [k]th allocation of the calling thread raises
    {!Interrupted}. Only those count that are made by functions whose names contain [modules] (or are called
    by such), and not [but]. [pause ()] comes before it. Whether it has come. *)

val where : unit -> string
(** The last that was interrupted: its number, and the functions that were being called. *)

val at_each_allocation : ?most:int -> (int -> bool) -> unit
(** [at_each_allocation attempt] calls [attempt 1], [attempt 2] and so on, until it is [false]: it was not
    interrupted any more. Fails if that is so at once, or not before [most] (5,000). Skips the test where
    OCaml has no Memprof (5.0 to 5.2). *)
