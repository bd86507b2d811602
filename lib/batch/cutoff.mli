(** The smallest batch that is run in parallel.

    It is measured, not guessed: for each class of sizes (powers of two), the cost of an operation when the
    batch is applied one by one, and when it is run as a batch. The cheaper way is taken, and the other one is
    tried again now and then. The cost of these tries is bounded: only small batches are tried one by one. *)

type t

val make : [ `Adaptive | `Fixed of int ] -> t

val is_measured : t -> bool
(** Whether it measures: the cutoff is not fixed. *)

val choose : t -> int -> bool
(** [choose c n] is whether to run a batch of [n] operations as a batch. Only the owner of the structure may
    call it. *)

val record : t -> int -> batch:bool -> int -> unit
(** [record c n ~batch ticks]: a batch of [n] operations has taken so many ticks, run as a batch or one by
    one. Only the owner may call it. *)

val costs : t -> int -> float option * float option
(** [costs c n] is the ticks that an operation takes, one by one and in a batch, in batches of the class of
    [n], or else of the nearest class that has been measured. *)

val cutoff : t -> int
(** The smallest power of two for which it is known to choose the batch; [max_int]: none. *)
