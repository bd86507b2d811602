module Cell = Cell
module Map_op = Map_op

module type STRUCTURE = Structures.STRUCTURE
module type GENERIC = Structures.GENERIC

exception Reentrant = Batched.Reentrant

module Make_generic = Batched.Make_generic
module Datalog = Datalog
