(** Keys that count how often they are looked at, and what every map from them costs. *)

open Testing.Growth

val note : (unit -> unit) ref
(** What keys tell that they were compared, or hashed. *)

module Key : sig
  type t = int

  val compare : t -> t -> int
  val equal : t -> t -> bool
  val hash : t -> int
end

val few : int

val repeat : int -> (int -> 'a) -> unit -> unit
(** [repeat n f ()] calls [f 0] to [f (n - 1)]. *)

val scattered : int -> int array
(** Different keys of 20 bits, in no order. *)

val bindings : int -> (int * int) array
(** Of these keys. *)

val sizes : int list

(** What {!Map} is told of a map. *)
module type MAP = sig
  type 'v t

  val maps : int
  (** So many are made, and used in turn: more than one where their shape is random. *)

  val create : unit -> 'v t
  val length : 'v t -> int
  val mem : 'v t -> int -> bool
  val find_opt : 'v t -> int -> 'v option
  val add : 'v t -> int -> 'v -> unit
  val remove : 'v t -> int -> bool
  val update : 'v t -> int -> ('v option -> 'v option) -> 'v option
  val iter : (int -> 'v -> unit) -> 'v t -> unit
  val fold : (int -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (int * 'v) Seq.t
end

module type ORDERED_MAP = sig
  include MAP

  val min_binding_opt : 'v t -> (int * 'v) option
  val max_binding_opt : 'v t -> (int * 'v) option
  val succ : 'v t -> int -> (int * 'v) option
  val pred : 'v t -> int -> (int * 'v) option
end

type costs = {
  one : bound;  (** of one operation on a key *)
  many : bound;  (** of as many as there are keys *)
  case : string -> bound -> (int -> unit -> unit) -> case;
}

val compared : costs
val hashed : costs

val counted_by_words : costs
(** Maps from integers call nothing. *)

val of_keys : string -> bound -> (int -> unit -> unit) -> case

module Map (M : MAP) : sig
  val filled : int -> int M.t

  val some_of : int -> (int M.t -> int -> 'a) -> unit -> unit
  (** Of maps of [n] bindings, to do {!few} things. *)

  val of_filled : (int M.t -> 'a) -> int -> unit -> unit
  val cases : costs -> case list
end

module Ordered_map (M : ORDERED_MAP) : sig
  include module type of Map (M)
end
