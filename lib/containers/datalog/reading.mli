(** Answers queries from relations that do not change meanwhile. *)

type answers = {
  variables : string array;  (** the variables of the query, in the order in which they occur *)
  count : int;  (** how many answers there are *)
  values : Syntax.value array;
      (** the values of the first answer's variables, then those of the second's...: each answer once, in no
          particular order *)
}

val rows : answers -> Syntax.value array array
(** An array for each answer. *)

exception No_index
(** [index] of a {!source} may raise it. *)

type source = {
  constants : Constants.t;
  relation : string -> Relation.t option;
  index : Relation.t -> int array -> Index.t;
}
(** Where to read. Several queries may read the same source at the same time, if [index] does not make
    indexes. *)

val query : source -> Syntax.query -> answers
(** All answers.
    @raise Syntax.Error if the query is unsafe, or gives a predicate the wrong number of arguments. *)

val count : source -> Syntax.query -> int
(** How many answers {!query} has. *)

val holds : source -> Syntax.query -> bool
(** Whether there is an answer; stops at the first. *)
