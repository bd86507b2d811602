(** Measures the cost of a steal on this machine. *)

val usual : int
(** The cost in nanoseconds that is used if it cannot be measured. *)

val measure : unit -> int
(** Nanoseconds from a fork until its right side begins on another worker, which was searching: the median of
    some hundred forks in a pool of two domains; {!usual} if the machine runs only one thread at a time. Takes
    some 20 ms. *)
