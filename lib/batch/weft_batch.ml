module Cell = Cell
module Map_op = Map_op

module type STRUCTURE = Structures.STRUCTURE
module type GENERIC = Structures.GENERIC

exception Reentrant = Batched.Reentrant

module Stats = Stats
module Make = Batched.Make
module Make_generic = Batched.Make_generic
module Split_join = Split_join
module Avl = Avl
module Red_black = Red_black
module Treap = Treap
module Log = Log
