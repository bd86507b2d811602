(** How to find the tuples that satisfy a body: its literals in a good order, each with the way to look it up.

    Variables and constants are numbered; the number is their place in an environment. *)

(** How the tuples of an atom are found. *)
type way =
  | Whole  (** all columns are known: looks up the tuple itself *)
  | By of Index.t  (** some columns are known *)
  | Every  (** no column is known: goes through all tuples *)

type links = { columns : int array; places : int array }
(** The first column belongs to the first place, and so on. *)

type access = {
  relation : Relation.t;
  way : way;
  key : int array;  (** places of the values to look up *)
  bind : links;  (** columns that are written to places *)
  check : links;  (** columns that must be equal to their places, after binding *)
  same_stratum : bool;
  only_old : bool;  (** leaves out the delta: the plan that starts from it finds those combinations *)
}

(** What a comparison compares. A constant of a query need not have a code. *)
type operand = Place of int | Constant of { code : int; value : Syntax.value }

type step =
  | Join of access  (** goes on for each such tuple *)
  | Exists of access  (** goes on if there is such a tuple; binds nothing *)
  | Absent of access  (** goes on if there is no such tuple *)
  | Test of Syntax.comparison * operand * operand

type t = {
  entry : access option;  (** binds and checks the tuple that the plan starts from; [way] is not used *)
  steps : step array;
  environment : int array;  (** constants in their places *)
  result : int array;  (** places of the columns of the head *)
  repeats : bool;  (** the same result may be found several times *)
}

(** What a plan starts from. *)
type start =
  | Nothing
  | A_literal of int  (** a tuple of this literal of the body, which is an atom, perhaps a negated one *)
  | The_head  (** a tuple of the head, to find out whether the body is satisfied *)

type context = {
  relation : Syntax.atom -> Relation.t;
  code : Syntax.value -> int;
  index : Relation.t -> int array -> Index.t;
  in_stratum : Relation.t -> bool;  (** whether a relation is in the stratum of the head *)
}
(** What {!make} needs to know of the database. *)

val make :
  context ->
  ?negations:bool ->
  ?once:bool ->
  head:Relation.t option * Syntax.term list ->
  Syntax.literal list ->
  start ->
  t
(** [make context ~head:(relation, terms) body start] is a plan. The relation is needed for {!The_head} only.
    Body and head must have passed {!Analysis}. [~negations:false] leaves out negated literals. With
    [~once:true], atoms before the literal that the plan starts from match old tuples only, so that a
    combination that could start from several literals is found once.

    The order is greedy: next comes a comparison or a negation whose variables are known, or else an atom with
    the most known columns; the first one in the text if there are several. O(literals{^ 2} * width). *)
