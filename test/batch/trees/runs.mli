(** Operations and batches of one kind of tree. *)

module Make (K : Kinds.KIND) : sig
  val apply : int K.Map.t -> Programs.op -> Programs.result

  val run_batch : int K.Map.t -> Programs.op list -> Programs.result option list
  (** The results; [None] for a cell that is still empty. *)

  val bindings : int K.Map.Tree.t -> (int * int) list
  val tree_of : Programs.op list -> int K.Map.Tree.t
  val model_of : int K.Map.Tree.t -> int Programs.Model.t

  val expected : int Programs.Model.t -> Programs.op list -> Programs.result option list * (int * int) list
  (** The expected results of a batch, and the bindings afterwards: operations on one key in order, then all
      others. *)
end
