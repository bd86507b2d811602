(** The recorded structure: a table indexed by integers, whose batch function can be given a fault. *)

type 'v t

type fault =
  | Right
  | Removals_first  (** within a batch, removals are applied before all else *)
  | Forgets of int  (** batches ignore additions to that key *)
  | Keeps of int  (** batches ignore removals of that key, and answer that they have found it *)
  | Fails of int  (** operations on that key raise [Exit] in batches *)
  | Silent of int  (** operations on that key get no result in batches *)
  | Raises of int  (** a batch raises [Failure] when it comes to an operation on that key *)

val create : fault -> 'v t

val contents : 'v t -> (int * 'v) list
(** Sorted by key. *)

type ('v, _) op =
  | Find : int -> ('v, 'v option) op
  | Add : int * 'v -> ('v, unit) op
  | Remove : int -> ('v, bool) op
  | Get : int -> ('v, 'v) op  (** raises [Not_found] *)
  | Length : ('v, int) op  (** batches answer it after all others *)

include Weft_batch.GENERIC with type 'v t := 'v t and type ('v, 'a) op := ('v, 'a) op
