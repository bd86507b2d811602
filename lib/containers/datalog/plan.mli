(** How the tuples that satisfy a body are found: its literals in a good order, each with the way to look it
    up.

    Variables and constants are numbered; the number is their place in an environment. *)

(** How the tuples of an atom are found. *)
type way =
  | Whole  (** all its columns are known: the tuple itself *)
  | By of Index.t  (** some are *)
  | Every  (** none: all tuples, one after the other *)

type links = { columns : int array; places : int array }
(** The first column and the first place belong together, and so on. *)

type access = {
  relation : Relation.t;
  way : way;
  key : int array;  (** places of the values to look up *)
  bind : links;  (** columns that are written to places *)
  check : links;  (** columns that must be equal to places, after binding *)
  same_stratum : bool;
  only_old : bool;  (** not the delta: those combinations are found from there *)
}

(** What is compared. Constants of queries need not have a code. *)
type operand = Place of int | Constant of { code : int; value : Syntax.value }

type step =
  | Join of access  (** for each such tuple go on *)
  | Exists of access  (** if there is one, go on; it binds nothing *)
  | Absent of access  (** if there is none *)
  | Test of Syntax.comparison * operand * operand

type t = {
  entry : access option;  (** what a tuple that the plan starts from does; its way is of no matter *)
  steps : step array;
  environment : int array;  (** constants in their places *)
  result : int array;  (** places of the columns of the head *)
  repeats : bool;  (** the same result may be found several times *)
}

(** What a plan starts from. *)
type start =
  | Nothing
  | A_literal of int  (** a tuple of this literal of the body, which is an atom, perhaps a negated one *)
  | The_head  (** a tuple of the head: what remains is whether the body is satisfied *)

type context = {
  relation : Syntax.atom -> Relation.t;
  code : Syntax.value -> int;
  index : Relation.t -> int array -> Index.t;
  in_stratum : Relation.t -> bool;  (** the stratum of the head *)
}
(** What surrounds a plan. *)

val make :
  context ->
  ?negations:bool ->
  ?once:bool ->
  head:Relation.t option * Syntax.term list ->
  Syntax.literal list ->
  start ->
  t
(** [make context ~head:(relation, terms) body start]. The relation is needed for {!The_head} only. Body and
    head must have passed {!Analysis}. [~negations:false] leaves out negated literals. [~once:true]: atoms in
    front of the literal that the plan starts from are looked for among the old tuples only, so that what
    several literals could start is found once.

    The order is greedy: next is a comparison or a negation whose variables are known, or else an atom with as
    many known columns as any; the first of them in the text. O(literals{^ 2} * width). *)
