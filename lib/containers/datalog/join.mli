(** Runs plans. A run reads relations and changes nothing, so several may run at the same time. *)

type t
(** A plan with an environment of its own. Only one task may use it. *)

val create : Plan.t -> Constants.t -> rank:int -> own_rank:int -> t
(** Only tuples of a rank below [rank] count; in relations of the head's stratum, those of a rank below
    [own_rank]. With {!Relation.gone} the tuples that stand count, with {!Relation.all} those that have fallen
    as well. *)

val run : t -> (int array -> unit) -> unit
(** [run t found] calls [found result] for each result of a plan that starts from nothing; [result] is valid
    during the call. *)

val run_from : t -> int -> (int array -> unit) -> unit
(** [run_from t row found] is the same for a plan that starts from a tuple, which is [row]. *)

val succeeds : t -> bool
(** Whether there is a result; stops at the first. *)

val succeeds_from : t -> int -> own_rank:int -> bool
(** [succeeds] for a plan that starts from a tuple, which is [row]. From now on, [own_rank] counts in place of
    that of {!create}. *)
