(** The trees to test, all in the same way. *)

module type KIND = sig
  val name : string

  val is_slow : bool
  (** Whether operations take linear time. *)

  val feigned : int
  (** How many more bindings [length] tells of than there are. *)

  module Map : Weft_containers.Rooted.S with module Key := Keys

  val check : 'v Map.Tree.t -> unit
  (** @raise Failure if the tree is not in order. *)

  module Batched : Weft_batch.Split_join.S with module Key := Keys and module Tree := Map.Tree
end

module Avl : KIND
module Red_black : KIND
module Treap : KIND

module Plain : KIND
(** {!Weft_containers.Join_based}, applied to the least that a user can supply. *)

module Large : KIND
(** An AVL tree that says that it is large: batches warm it. *)
