module Cell = Cell
module Map_op = Map_op

module type STRUCTURE = Structures.STRUCTURE
module type GENERIC = Structures.GENERIC

exception Reentrant = Batched.Reentrant

module Make_generic = Batched.Make_generic
module Recorder = Recorder
module Log = Log
module Split_join = Split_join
module Avl = Avl
module Red_black = Red_black
module Treap = Treap
module B_tree = B_tree
