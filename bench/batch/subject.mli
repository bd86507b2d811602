(** Maps from integers to integers, as these benchmarks use them. *)

open Weft_bench_harness

(** The contents of a map in the end. *)
type contents =
  | Listed of { keys : int array; values : int array }  (** all bindings, in any order *)
  | Asked of { length : int; find_opt : int -> int option }
      (** for maps without iteration: the number of bindings, and the look-up of a key *)

(** The operations of a batched map as values, for one fiber that makes many of them. *)
module type MANY = sig
  type t
  type 'a op

  val mem : int -> bool op
  val add : int -> int -> unit op
  val remove : int -> bool op
  val exec_many : t -> 'a op array -> 'a array
  val submit : t -> 'a op -> 'a Weft.Promise.t
end

type 'm operations = { mem : 'm -> int -> bool; add : 'm -> int -> int -> unit; remove : 'm -> int -> bool }

(** A way to make a map, and its operations. *)
type t =
  | Map : {
      create : int -> 'm;  (** makes an empty map for about so many bindings *)
      fill : 'm -> int array -> (int -> int) -> unit;
          (** [fill m keys value] binds each of [keys], which ascend, to its value; called outside any pool *)
      operations : 'm operations;
      add_all : ('m -> (int * int) array -> unit) option;  (** adds many bindings at once, if the map can *)
      many : (module MANY with type t = 'm) option;  (** if the map is batched *)
      contents : 'm -> contents;  (** called after all operations, outside any pool *)
      replaces : bool;  (** whether [add] gives a new value to a key that is bound, as all maps of Weft do *)
      figures : 'm -> Figure.t list;  (** the map's own statistics of the run *)
    }
      -> t

module type MAP = Weft_containers.Maps.MAP with type key = int

(** The maps of Weft, sequential and batched. *)
module Of (M : MAP) : sig
  val map :
    ?fill:(int M.t -> int array -> (int -> int) -> unit) ->
    ?add_all:(int M.t -> (int * int) array -> unit) ->
    ?many:(module MANY with type t = int M.t) ->
    ?figures:(int M.t -> Figure.t list) ->
    (unit -> int M.t) ->
    t
  (** [map create] adds the bindings at the start one by one, unless there is a [fill]. *)
end

val holding : Mutex.t -> (unit -> 'a) -> 'a
(** [holding mutex f] is [f ()], called with the mutex locked, without the closures of [Mutex.protect]. *)

val locked : t -> t
(** [locked map] is [map] with a mutex that each operation locks. *)

val stdlib_map : t
(** A reference to a map of {!Stdlib.Map}. *)

val stdlib_table : t
(** {!Stdlib.Hashtbl}, made for the number of bindings; an integer is its own hash. *)

val saturn_skip_list : t
(** {!Saturn.Skiplist}, with as many levels as suit the number of bindings. It never replaces a value. *)

val saturn_table : t
(** {!Saturn.Htbl}, with as many buckets as suit the number of bindings. *)
