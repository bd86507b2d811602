(** Queries: what they find, read from relations that do not change meanwhile. *)

type answers = {
  variables : string array;  (** of the query, in the order in which they occur *)
  count : int;  (** of the answers *)
  values : Syntax.value array;
      (** those of the first answer's variables, then those of the second's...: each answer once, in no
          particular order *)
}

val rows : answers -> Syntax.value array array
(** An array for each answer. *)

exception No_index
(** For [index] to raise. *)

type source = {
  constants : Constants.t;
  relation : string -> Relation.t option;
  index : Relation.t -> int array -> Index.t;
}
(** Where to read. Several queries may read the same source at the same time, if [index] makes none. *)

val query : source -> Syntax.query -> answers
(** All answers.
    @raise Syntax.Error if the query is unsafe, or a predicate has another number of arguments. *)

val count : source -> Syntax.query -> int
(** How many {!query} has. *)

val holds : source -> Syntax.query -> bool
(** Whether there is one; stops at the first. *)
