(** What a steal costs on this machine. *)

val usual : int
(** Nanoseconds: what is taken where it cannot be measured. *)

val measure : unit -> int
(** Nanoseconds from a fork until its right side begins on another worker that was searching: the median of
    some hundred, by a pool of two domains; {!usual} if the machine runs one thread at a time only. Some 20
    ms. *)
