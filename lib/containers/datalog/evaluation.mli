(** Computes what follows from facts: semi-naive evaluation, bottom-up, stratum by stratum. *)

type t = {
  constants : Constants.t;
  runner : Runner.t;
  mutable round : int;  (** the rank of tuples that are added now *)
  mutable fell : bool;  (** whether a tuple has fallen in this change *)
}

val saturate : t -> Clauses.stratum -> from_nothing:bool -> unit
(** Adds to the stratum's relations what follows from the rows from their marks on, and from the tuples that
    fell in the strata below. Each round joins the tuples that are new since the last one with all others,
    until there are no new ones (Bancilhon, 1986; Balbin and Ramamohanarao, J. Logic Programming 4, 1987). The
    tuples that start a round are shared out among tasks. Each task collects the tuples that it finds and that
    are not there yet; they are entered at the end of the round.

    O(combinations of tuples that satisfy a body and contain a new one, and dead ends of the joins). With
    [~from_nothing], the rules without atoms to start from are evaluated, too. *)

val chunks : t -> int -> (int -> int -> 'a) -> 'a list
(** [chunks t n f] cuts the range from 0 to [n - 1] into parts for tasks, and is the list of [f from till] for
    each. *)

val sync : t -> Relation.t list -> unit
(** Brings the indexes of these relations up to date, several at the same time. *)

val gain_rank : t -> int
(** The rank below which tuples count now. If nothing has fallen, it is {!Relation.all}, for which joins need
    not read the status of rows. *)
