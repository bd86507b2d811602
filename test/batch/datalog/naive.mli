(** Datalog by its definition: rules are applied to all facts until nothing new follows. Slow, and without any
    of the code that it checks. *)

open Weft_containers

type tuple = string * Datalog.value list

module Tuples : Set.S with type elt = tuple

val consequences : Datalog.rule list -> Tuples.t -> Tuples.t
(** The facts, and all that the rules derive. The rules must be stratified. *)

val answers : Datalog.query -> Tuples.t -> Datalog.value list list
(** The values of the query's variables, in the order in which they occur; sorted, each once. *)
