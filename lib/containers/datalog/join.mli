(** Running plans. Reads relations, changes nothing: several may run at the same time. *)

type t
(** A plan with an environment of its own: for one task. *)

val create : Plan.t -> Constants.t -> rank:int -> own_rank:int -> t
(** Only tuples of a rank below [rank] count; below [own_rank] where the relation is in the stratum of the
    head ({!Relation.gone}: those that stand; {!Relation.all}: those that have fallen as well). *)

val run : t -> (int array -> unit) -> unit
(** [run t found] calls [found result] for each result of a plan that starts from nothing; [result] is valid
    during the call. *)

val run_from : t -> int -> (int array -> unit) -> unit
(** [run_from t row found] is the same for a plan that starts from a tuple: this one. *)

val succeeds : t -> bool
(** Whether there is a result; stops at the first. *)

val succeeds_from : t -> int -> own_rank:int -> bool
(** The same from a tuple, and from now on with this [own_rank]. *)
