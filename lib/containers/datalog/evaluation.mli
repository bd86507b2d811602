(** What follows: semi-naive evaluation, bottom-up, stratum by stratum. *)

type t = {
  constants : Constants.t;
  runner : Runner.t;
  mutable round : int;  (** the rank of what is added now *)
  mutable fell : bool;  (** whether something has fallen in this change *)
}

val saturate : t -> Clauses.stratum -> from_nothing:bool -> unit
(** Adds to the stratum's relations what follows from the rows from their marks on, and from what fell below.
    Each round joins the tuples that are new since the last one with all others, until nothing new is found
    (Bancilhon, 1986; Balbin and Ramamohanarao, J. Logic Programming 4, 1987). The tuples that start a round
    are shared out among tasks; each collects what it finds that is not there yet, and then it is entered.

    O(combinations of tuples that satisfy a body and contain a new one), with the joins' dead ends.
    [~from_nothing]: also the rules without atoms to start from. *)

val chunks : t -> int -> (int -> int -> 'a) -> 'a list
(** [chunks t n f] cuts the range from 0 to [n - 1] into parts for tasks, and is the [f from till] of each. *)

val sync : t -> Relation.t list -> unit
(** Brings indexes up to date, several at the same time. *)

val gain_rank : t -> int
(** The rank up to which tuples count now: faster if nothing has fallen. *)
