(** Keys that count their comparisons and hashes, and the cost of every map that has such keys. *)

open Testing.Growth

val note : (unit -> unit) ref
(** Called for each comparison or hash of a key. *)

module Key : sig
  type t = int

  val compare : t -> t -> int
  val equal : t -> t -> bool
  val hash : t -> int
end

val few : int

val scattered : int -> int array
(** Different keys of 20 bits, in no order. *)

val bindings : int -> (int * int) array
(** A map with these keys. *)

val sizes : int list

(** The expected costs of a map. *)
module type MAP = sig
  type 'v t

  val maps : int
  (** So many maps are made, and used in turn: more than one if their shape is random. *)

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
(** Maps from integers call no function of the caller's. *)

val of_keys : string -> bound -> (int -> unit -> unit) -> case

module Map (M : MAP) : sig
  val filled : int -> int M.t

  val some_of : int -> (int M.t -> int -> 'a) -> unit -> unit
  (** Does {!few} things, with maps of [n] bindings in turn. *)

  val of_filled : (int M.t -> 'a) -> int -> unit -> unit
  val cases : costs -> case list
end

module Ordered_map (M : ORDERED_MAP) : sig
  include module type of Map (M)
end
