(** Finds the tuples that fall when facts are retracted, or when tuples are added that others need the absence
    of.

    It uses delete and rederive (Gupta, Mumick and Subrahmanian, SIGMOD 1993), limited by ranks. A tuple that
    was derived from one that fell stays if a rule still derives it from tuples of its own stratum that all
    have {e lower} ranks, and any tuples of the strata below; so no two tuples support each other. Only tuples
    without such support fall, and only from them the search goes on. At the end, tuples that fell but can
    still be derived, from higher ranks, are added again with new ranks.

    Cost: for each tuple that falls, the combinations that it was part of, and for each tuple that these
    derived, the search for its support. In a densely connected graph, the fall of an edge has no more effect
    after one step; a chain of single supports is followed to its end. *)

val retract : Evaluation.t -> Clauses.stratum -> unit
(** Makes all tuples of this stratum fall that have no support any more. Then {!Evaluation.saturate} must be
    called. *)

val check : Evaluation.t -> Clauses.stratum -> unit
(** For tests, between changes: checks that every tuple is asserted or has support.
    @raise Failure if one is not. *)
