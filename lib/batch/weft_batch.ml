module Cell = Cell
module Map_op = Map_op

module type STRUCTURE = Structures.STRUCTURE
module type GENERIC = Structures.GENERIC

exception Reentrant = Batched.Reentrant

module Stats = Stats
module Span = Span
module Make = Batched.Make
module Make_generic = Batched.Make_generic
module Recorder = Recorder
module Log = Log

module type MAP = Batched_maps.MAP
module type ORDERED_MAP = Batched_maps.ORDERED_MAP

module Split_join = Split_join
module Avl = Avl
module Red_black = Red_black
module Treap = Treap
module B_tree = B_tree

module type SHARDED = Structures.SHARDED

module Expose_repair = Shards.Make
module Int_maps = Int_maps
module Veb = Veb
module X_fast = X_fast
module Y_fast = Y_fast
module Skip_list = Skip_list
module Counter = Counter
module Hash_table = Hash_table
module Priority_queue = Priority_queue
module Datalog = Datalog
