module Cell = Cell
module Map_op = Map_op

module type STRUCTURE = Structures.STRUCTURE
module type GENERIC = Structures.GENERIC

exception Reentrant = Batched.Reentrant

module Stats = Stats
module Make = Batched.Make
module Make_generic = Batched.Make_generic
module Log = Log
