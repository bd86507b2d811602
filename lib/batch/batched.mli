(** Implicit batching: single calls by many tasks become batches of a structure. *)

exception Reentrant of string
(** A structure was called from inside its own batch: the function that was called. *)

(** See {!Structures.GENERIC}. *)
module Make_generic (S : Structures.GENERIC) : sig
  type 'v t
  (** A structure, batched: callable from any task and any thread. *)

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> 'v S.t -> 'v t
  (** [create s] is [s], batched; [s] must not be used otherwise from now on. [limit]: the greatest batch.
      [cutoff]: the smallest batch that is given to [S.run]; smaller ones are applied one by one.

      @raise Invalid_argument if [limit < 1] or the cutoff is [`Fixed n] with [n < 1]. *)

  val exec : 'v t -> ('v, 'a) S.op -> 'a
  (** The result of one operation. If nobody else is at the structure, it is applied in place; else the
      calling fiber is suspended until the batch that it is part of has ended.

      @raise Reentrant if called from inside a batch of this structure. *)

  val exec_many : 'v t -> ('v, 'a) S.op array -> 'a array
  (** All of them as one batch, in this order. Raises the exception of the first that failed. *)

  val exclusive : 'v t -> ('v S.t -> 'a) -> 'a
  (** [exclusive t f] is [f] of the structure, while nobody else is at it. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended. *)

  val unguarded : 'v t -> 'v S.t
  (** The structure, for readers that need no protection. *)
end
