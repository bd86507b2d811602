(** Random operations, and their meaning on [Stdlib.Map]. *)

module Model : Map.S with type key = int

exception Planned

type op =
  | Mem of int
  | Find of int
  | Add of int * int
  | Remove of int
  | Update of int * int  (** the update is {!updated} of the second number *)
  | Succ of int
  | Pred of int
  | Min
  | Max
  | Length

type result =
  | Unit
  | Bool of bool
  | Value of int option
  | Binding of (int * int) option
  | Int of int
  | Raised of exn

val updated : int -> int option -> int option
(** @raise Planned sometimes. *)

val step : int Model.t -> op -> result * int Model.t
val on_one_key : op -> bool
val show_all : op list -> string

val op : Random.State.t -> (unit -> int) -> op
(** A random operation on a key. *)

val keys : Random.State.t -> unit -> int
(** [keys rand] is a random way to choose keys. *)

val ops : Random.State.t -> int -> op list
val programs : op list QCheck.arbitrary
val pairs : (op list * op list) QCheck.arbitrary

val check : count:int -> string -> 'a QCheck.arbitrary -> ('a -> bool) -> unit
(** The same cases in every run. *)

val same : string -> 'a -> 'a -> bool
(** Whether the two are equal; if not, it fails and shows them. *)
