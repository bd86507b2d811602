(** How many threads the library itself has started.

    OCaml numbers threads, those that domains begin with included, in the order in which they start: a thread
    whose number is higher than {!count} tells that somebody else has started one. *)

val note : unit -> unit
(** To be called before each [Domain.spawn] and each [Thread.create]. *)

val take_back : unit -> unit
(** To be called when [Domain.spawn] failed: no number was used. ([Thread.create] uses one even if it fails.)
*)

val count : unit -> int
(** How many were noted. At least as many as the numbers in use: a new domain takes its number a little after
    [Domain.spawn] has returned. *)

val spawn : (unit -> 'a) -> 'a Domain.t
(** [Domain.spawn], {!note}d; the numbers that the caller draws from [Random] do not change by it.
    @raise Failure if there is no domain to be had. *)
