(** The smallest batch that is run in parallel.

    It is measured, not guessed: for each class of sizes (powers of two), the cost of an operation when the
    batch is applied one by one, and when it is run as a batch. The cheaper way is taken, and the other one is
    tried again now and then. The cost of these tries is bounded: only small batches are tried one by one. *)

type t

val make : [ `Adaptive | `Fixed of int ] -> t

val is_measured : t -> bool
(** Not fixed. *)

val choose : t -> int -> bool
(** [choose c n] is whether to run a batch of [n] operations as a batch. By the owner of the structure. *)

val record : t -> int -> batch:bool -> int -> unit
(** [record c n ~batch ticks]: a batch of [n] has taken so long, that way. By the owner. *)

val costs : t -> int -> float option * float option
(** Ticks that an operation takes, one by one and in a batch of so many: of this class of sizes, or else of
    one near it that has been measured. *)

val cutoff : t -> int
(** The smallest power of two from which on it chooses the batch, as far as is known; [max_int]: none. *)
