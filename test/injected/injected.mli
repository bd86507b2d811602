(** Exceptions as signal handlers raise them, at every place where a handler may run because code allocates.
*)

exception Interrupted

val at_allocation :
  ?modules:string -> ?but:string -> ?pause:(unit -> unit) -> int -> ((unit -> unit) -> unit) -> bool
(** [at_allocation k f] is [f start]; from [start ()] on, the [k]th allocation of the calling thread raises
    {!Interrupted}. Only those count that are made by functions whose names contain [modules] (or are called
    by such), and not [but]. [pause ()] comes before it. Whether it has come. *)

val at_safepoint :
  ?modules:string -> ?but:string -> ?again:int list -> int -> ((unit -> unit) -> unit) -> bool
(** [at_safepoint k f] is [f start]; from [start ()] on, the [k]th safepoint of the calling thread raises
    {!Interrupted}: allocations, and what else the compiler polls at; and then, for each [n] of [again], the
    [n]th after that. None is raised inside of [but], or outside of [modules]. Whether so many came. Uses
    SIGUSR2, which no other thread of the domain may handle meanwhile. *)

val where : unit -> string
(** The last that was interrupted: its number, and the functions that were being called. *)

val at_each_allocation : ?most:int -> (int -> bool) -> unit
(** [at_each_allocation attempt] calls [attempt 1], [attempt 2] and so on, until it is [false]: it was not
    interrupted any more. Fails if that is so at once, or not before [most] (5,000). Skips the test where
    OCaml has no Memprof (5.0 to 5.2). *)

val at_each_safepoint : ?most:int -> (int -> bool) -> unit
(** Likewise; [most] is 20,000. Skips the test where this is no release build: there, calls that the code
    counts on being inlined have safepoints. *)

(** {1 Either} *)

type places = Allocations | Safepoints of int list  (** [again] *)

val name : places -> string
val at : ?modules:string -> ?but:string -> places -> int -> ((unit -> unit) -> unit) -> bool
val at_each_of : places -> (int -> bool) -> unit
