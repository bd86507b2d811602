(** Programs of operations, run one by one, in batches, and by the standard library. *)

module Batched : module type of Weft_batch.Skip_list.Make (Keys)
module Sequential = Batched.Sequential
module Map : Map.S with type key = int

type op =
  | Mem of int
  | Find of int
  | Add of int * int
  | Remove of int
  | Update of int * int  (** the number chooses one of several functions *)
  | Fail of int  (** an update whose function raises *)
  | Succ of int
  | Pred of int
  | Min
  | Max
  | Length

type answer =
  | Bool of bool
  | Value of int option
  | Unit
  | Binding of (int * int) option
  | Int of int
  | Raised

val is_keyed : op -> bool
val on_map : int Map.t -> op -> int Map.t * answer
val on_list : int Sequential.t -> op -> answer
val in_batch : int Sequential.t -> op array -> answer array

val in_order : int Map.t -> op array -> int Map.t * answer array
(** One by one. *)

val keyed_first : int Map.t -> op array -> int Map.t * answer array
(** First the operations on one key, in the order of arrival, then the others. *)

val of_map : ?seed:int -> int Map.t -> int Sequential.t
val check_contents : string -> int Sequential.t -> int Map.t -> unit
val check_answers : string -> op array -> answer array -> answer array -> unit

val check_batch : string -> int Sequential.t -> int Map.t -> op array -> int Map.t
(** Runs the batch; checks answers, contents and shape; returns the expected map. *)

val check_random : count:int -> string -> (op array * op array -> bool) -> unit
(** Checks a property of a program and of a batch that follows it. *)
