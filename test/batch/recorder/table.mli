(** A structure to be recorded: a table from integers, whose batch function can be given a fault. *)

type 'v t

type fault =
  | Right
  | Removals_first  (** within a batch, removals are applied before all else *)
  | Forgets of int  (** additions to that key do nothing in batches *)
  | Keeps of int  (** removals of that key say that they have found it, and do nothing in batches *)
  | Fails of int  (** operations on that key raise [Exit] in batches *)
  | Silent of int  (** operations on that key get no result in batches *)
  | Raises of int  (** a batch raises [Failure] when it comes to an operation on that key *)

val create : fault -> 'v t

val contents : 'v t -> (int * 'v) list
(** By key. *)

type ('v, _) op =
  | Find : int -> ('v, 'v option) op
  | Add : int * 'v -> ('v, unit) op
  | Remove : int -> ('v, bool) op
  | Get : int -> ('v, 'v) op  (** raises [Not_found] *)
  | Length : ('v, int) op  (** in batches, answered after all others *)

include Weft_batch.GENERIC with type 'v t := 'v t and type ('v, 'a) op := ('v, 'a) op
