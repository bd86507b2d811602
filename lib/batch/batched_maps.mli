(** The signatures that the batched maps have in common, for functors that take a map.

    {b Cost.} Each structure states what its functions cost. *)

(** Any map: {!Weft_batch.Avl}, {!Weft_batch.Hash_table}, {!Weft_batch.Veb}, ... No function of it makes a
    map, since maps from integers must be told how many bits their keys have; the other maps have
    [make : unit -> 'v t] besides. *)
module type MAP = sig
  include Weft_containers.Maps.MAP
  (** Here, any number of tasks and threads may use a map at the same time. *)

  val add_all : 'v t -> (key * 'v) array -> unit
  (** Adds all bindings, in this order, as one batch. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended. *)

  val stats : 'v t -> Stats.t
  (** What the structure has done so far. *)
end

(** Any map whose keys are in order. *)
module type ORDERED_MAP = sig
  include Weft_containers.Maps.ORDERED_MAP

  val add_all : 'v t -> (key * 'v) array -> unit
  val quiesce : 'v t -> unit
  val stats : 'v t -> Stats.t
end
