(** Rules with the plans to evaluate them by. *)

(** What of a relation a plan starts from. *)
type cause = Added  (** tuples that were added *) | Fallen  (** tuples that fell *)

type plan
(** Plans, and the indexes that they need, are made when they are needed first; never by two tasks at once.
    One whose making was ended by an exception (a full stack, a cancellation) is made anew the next time;
    [lazy] would raise that exception ever after. *)

val plan : plan -> Plan.t

type variant = { driver : Relation.t; cause : cause; plan : plan }
(** One literal of the body, by whose changes the rule's results change. *)

type rule = {
  head : Relation.t;
  whole : plan option;  (** of rules without a driver for what is there at first *)
  gains : variant list;  (** what may add tuples to the head *)
  losses : variant list;
      (** what may take away the support of tuples of the head. These plans leave out negations: they are to
          find what had support before, and what they find too much is looked at again *)
  support : plan;  (** starts from a tuple of the head *)
}

type stratum = {
  own : Relation.t list;
  reads : Relation.t list;  (** all that occur in bodies, and the own ones *)
  rules : rule list;
  recursive : bool;
}

val stratum :
  relation:(Syntax.atom -> Relation.t) -> code:(Syntax.value -> int) -> Analysis.stratum -> stratum
