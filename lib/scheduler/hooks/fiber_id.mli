(** Who a fiber is, for those who trace: only while somebody listens ({!Trace_hooks}) do fibers get one. *)

type t = private {
  mutable number : int;  (** from 1; 0: none yet, see {!val-number} *)
  parent : int;  (** the number of the fiber that started it, or 0 *)
  mutable place : int;  (** of its function ({!Weft_platform.Closure.place}), or 0 *)
  mutable name : string;  (** that the program gives it; or empty *)
  mutable wait : int;  (** the number of the wait that it is in, or 0 *)
  mutable told : int;  (** the listener's: when it was told of the fiber last *)
}

val unknown : t
(** That of all fibers which began while nobody listened. *)

val is_known : t -> bool

val started : ?name:string -> place:int -> parent:t -> unit -> t
(** By the parent, which starts it. It has the next number. *)

val begun : place:int -> parent:t -> t
(** By the fiber, which has begun. It has a number once that is asked for. *)

(** {1 By the fiber itself, or by the listener for it} *)

val number : t -> int

val call : t -> name:string -> place:int -> unit
(** It is called so, if it has no name yet. *)

val set_wait : t -> int -> unit
val set_told : t -> int -> unit
