(** Rules with the plans that evaluate them. *)

(** The tuples of a relation from which a plan starts. *)
type cause = Added  (** tuples that were added *) | Fallen  (** tuples that fell *)

type plan
(** A plan and the indexes that it needs are made when they are first needed, never by two tasks at once. If
    an exception ends that (a full stack, a cancellation), the plan is made anew the next time; [lazy] would
    raise that exception ever after. *)

val plan : plan -> Plan.t

type variant = { driver : Relation.t; cause : cause; plan : plan }
(** A literal of the body; changes of its relation change the rule's results. *)

type rule = {
  head : Relation.t;
  whole : plan option;  (** for rules without a positive atom: finds what they derive at first *)
  gains : variant list;  (** what may add tuples to the head *)
  losses : variant list;
      (** what may take away the support of tuples of the head. These plans leave out negations: they must
          find the tuples that had support before, and what they find in addition is checked again *)
  support : plan;  (** starts from a tuple of the head *)
}

type stratum = {
  own : Relation.t list;
  reads : Relation.t list;  (** all that occur in bodies, and [own] *)
  rules : rule list;
  recursive : bool;
}

val stratum :
  relation:(Syntax.atom -> Relation.t) -> code:(Syntax.value -> int) -> Analysis.stratum -> stratum
