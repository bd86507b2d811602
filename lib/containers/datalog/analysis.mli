(** Checks programs beyond their syntax, and divides them into strata. *)

type stratum = { predicates : string list;  (** those that are defined together *) rules : Syntax.rule list }

type t = {
  facts : Syntax.atom list;
  strata : stratum list;  (** each depends only on those before it, and perhaps on itself *)
  widths : (string * int) list;  (** the predicates that occur, with the number of arguments of each *)
}

val program : Syntax.program -> t
(** Checks the rules, orders their strata, and checks the queries. O(size), for rules of bounded length.

    @raise Syntax.Error
      with the place of the rule
      - if a predicate is used with different numbers of arguments, or more than {!max_width};
      - if a variable of the head, of a negated atom or of a comparison does not occur in an atom of the body
        that is not negated ({e unsafe});
      - if [_] stands in a head or in a comparison;
      - if a predicate depends on its own negation ({e not stratified}). *)

val query : Syntax.query -> unit
(** Checks that a query is safe.
    @raise Syntax.Error as above. *)

val max_width : int
(** The greatest number of arguments: 60. *)
