(** What falls when facts are retracted, or when tuples are added that others need the absence of.

    Delete and rederive (Gupta, Mumick and Subrahmanian, SIGMOD 1993), held back by ranks: a tuple that rested
    on one that fell stays if a rule still derives it from tuples of its own stratum that all have {e lower}
    ranks, and any of the strata below; so no two tuples hold each other up. Only those without such support
    fall, and are followed further. At the end those that fell and are still derivable, from higher ranks,
    rise again with new ones.

    Cost: for each tuple that falls, the combinations that it was part of, and for each tuple that these
    derived, the search for its support. In a densely connected graph an edge's fall is forgotten after a
    step; a chain of single supports is followed to its end. *)

val retract : Evaluation.t -> Clauses.stratum -> unit
(** Brings down what has no support any more in this stratum. Then {!Evaluation.saturate} must be called. *)

val check : Evaluation.t -> Clauses.stratum -> unit
(** Checks, between changes, that every tuple is asserted or has support.
    @raise Failure if that is not so. *)
