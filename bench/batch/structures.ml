open Map_benchmarks

let range = 1 lsl 30
let most_before = 2_000_000
let operations _ = 1_000_000
let stdlib_map = Some (Methods.stdlib_map, Subject.stdlib_map)

(* {1 Operations as values} *)

module type WITH_OPERATIONS = sig
  type 'v t

  module Op : sig
    type ('v, 'a) t =
      | Mem : int -> ('v, bool) t
      | Find : int -> ('v, 'v option) t
      | Add : int * 'v -> ('v, unit) t
      | Remove : int -> ('v, bool) t
      | Update : int * ('v option -> 'v option) -> ('v, 'v option) t
      | Succ : int -> ('v, (int * 'v) option) t
      | Pred : int -> ('v, (int * 'v) option) t
      | Min : ('v, (int * 'v) option) t
      | Max : ('v, (int * 'v) option) t
      | Length : ('v, int) t
  end

  val exec_many : 'v t -> ('v, 'a) Op.t array -> 'a array
  val submit : 'v t -> ('v, 'a) Op.t -> 'a Weft.Promise.t
end

module Many (B : WITH_OPERATIONS) = struct
  type t = int B.t
  type 'a op = (int, 'a) B.Op.t

  let mem k = B.Op.Mem k
  let add k v = B.Op.Add (k, v)
  let remove k = B.Op.Remove k
  let exec_many = B.exec_many
  let submit = B.submit
end

(* {1 All maps} *)

(* The functions that a batched map has besides those of every map. *)
module type BATCHED = sig
  include Subject.MAP

  module Sequential : sig
    type 'v t

    val add : 'v t -> key -> 'v -> unit
  end

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  val add_all : 'v t -> (key * 'v) array -> unit
  val stats : 'v t -> Weft_batch.Stats.t
end

module Batched (B : BATCHED) = struct
  module Subject = Subject.Of (B)

  (* Adds the bindings at the start one by one, but without the cost of batching. *)
  let map ~many create =
    let fill m keys value =
      B.exclusive m (fun s -> Array.iter (fun k -> B.Sequential.add s k (value k)) keys)
    in
    Subject.map ~fill ~add_all:B.add_all ~many ~figures:(fun m -> Methods.statistics (B.stats m)) create
end

(* {1 Search trees} *)

(* Makes the tree of the bindings at the start without comparing keys. *)
module type TREE = sig
  type 'v t

  val empty : 'v t
  val join : 'v t -> int -> 'v -> 'v t -> 'v t
end

module Filled (Tree : TREE) = struct
  let fill place keys value =
    let rec tree first last =
      if first > last then Tree.empty
      else
        let middle = (first + last) / 2 in
        let k = keys.(middle) in
        let left = tree first (middle - 1) in
        Tree.join left k (value k) (tree (middle + 1) last)
    in
    Atomic.set place (tree 0 (Array.length keys - 1))
end

module type SEQUENTIAL_TREE = sig
  module Tree : TREE
  include Subject.MAP with type 'v t = 'v Tree.t Atomic.t

  val create : unit -> 'v t
end

module type BATCHED_TREE = sig
  module Sequential : sig
    module Tree : TREE
  end

  type key := int

  include WITH_OPERATIONS

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> 'v t
  val add : 'v t -> key -> 'v -> unit
  val remove : 'v t -> key -> bool
  val update : 'v t -> key -> ('v option -> 'v option) -> 'v option
  val add_all : 'v t -> (key * 'v) array -> unit
  val length : 'v t -> int
  val mem : 'v t -> key -> bool
  val find_opt : 'v t -> key -> 'v option
  val iter : (key -> 'v -> unit) -> 'v t -> unit
  val fold : (key -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (key * 'v) Seq.t
  val exclusive : 'v t -> ('v Sequential.Tree.t Atomic.t -> 'a) -> 'a
  val stats : 'v t -> Weft_batch.Stats.t
end

module Tree (S : SEQUENTIAL_TREE) (B : BATCHED_TREE) = struct
  module Sequential = Subject.Of (S)
  module Sequential_filled = Filled (S.Tree)

  module Batched = Subject.Of (struct
    type key = int

    include B
  end)

  module Batched_filled = Filled (B.Sequential.Tree)

  let batched =
    Batched.map
      ~fill:(fun m keys value -> B.exclusive m (fun place -> Batched_filled.fill place keys value))
      ~add_all:B.add_all
      ~many:(module Many (B))
      ~figures:(fun m -> Methods.statistics (B.stats m))
      (fun () -> B.create ())

  let structure name doc =
    {
      name;
      doc;
      range;
      most_before;
      operations;
      sequential = Sequential.map ~fill:Sequential_filled.fill S.create;
      stdlib = stdlib_map;
      batched;
      lockfree = None;
    }
end

module Avl = Tree (Weft_containers.Avl.Make (Int)) (Weft_batch.Avl.Make (Int))
module Red_black = Tree (Weft_containers.Red_black.Make (Int)) (Weft_batch.Red_black.Make (Int))
module Treap = Tree (Weft_containers.Treap.Make (Int)) (Weft_batch.Treap.Make (Int))

let avl = Avl.structure "avl" "AVL trees"
let red_black = Red_black.structure "red_black" "red-black trees"
let treap = Treap.structure "treap" "treaps"

(* {1 Other maps} *)

module Key_hash = struct
  type t = int

  let equal = Int.equal
  let hash = Fun.id
end

let b_tree =
  let module S = Weft_containers.B_tree.Make (Int) in
  let module B = Weft_batch.B_tree.Make (Int) in
  let module Sequential = Subject.Of (S) in
  let module Batched = Batched (B) in
  {
    name = "b_tree";
    doc = "B-trees";
    range;
    most_before;
    operations;
    sequential = Sequential.map S.create;
    stdlib = stdlib_map;
    batched = Batched.map ~many:(module Many (B)) (fun () -> B.create ());
    lockfree = None;
  }

let skip_list =
  let module S = Weft_containers.Skip_list.Make (Int) in
  let module B = Weft_batch.Skip_list.Make (Int) in
  let module Sequential = Subject.Of (S) in
  let module Batched = Batched (B) in
  {
    name = "skip_list";
    doc = "skip lists";
    range;
    most_before;
    operations;
    sequential = Sequential.map (fun () -> S.create ());
    stdlib = stdlib_map;
    batched = Batched.map ~many:(module Many (B)) (fun () -> B.create ());
    lockfree = Some Subject.saturn_skip_list;
  }

let hash_table =
  let module S = Weft_containers.Hash_table.Make (Key_hash) in
  let module B = Weft_batch.Hash_table.Make (Key_hash) in
  let module Many = struct
    type t = int B.t
    type 'a op = (int, 'a) B.op

    let mem k = B.Mem (S.hash k, k)
    let add k v = B.Add (S.hash k, k, v)
    let remove k = B.Remove (S.hash k, k)
    let exec_many = B.exec_many
    let submit = B.submit
  end in
  let module Sequential = Subject.Of (S) in
  let module Batched = Batched (B) in
  {
    name = "hash_table";
    doc = "hash tables";
    range;
    most_before;
    operations;
    sequential = Sequential.map S.create;
    stdlib = Some (Methods.stdlib_hashtbl, Subject.stdlib_table);
    batched = Batched.map ~many:(module Many) (fun () -> B.create ());
    lockfree = Some Subject.saturn_table;
  }

(* {1 Tries} *)

module Trie (S : Weft_containers.Int_map.S) (B : Weft_batch.Int_maps.S) = struct
  module Sequential = Subject.Of (S)
  module Batched = Batched (B)

  let structure ~bits name doc =
    {
      name;
      doc;
      range = 1 lsl bits;
      most_before;
      operations;
      sequential = Sequential.map (fun () -> S.create ~bits ());
      stdlib = None;
      batched = Batched.map ~many:(module Many (B)) (fun () -> B.create ~bits ());
      lockfree = None;
    }
end

module Veb = Trie (Weft_containers.Veb) (Weft_batch.Veb)
module X_fast = Trie (Weft_containers.X_fast) (Weft_batch.X_fast)
module Y_fast = Trie (Weft_containers.Y_fast) (Weft_batch.Y_fast)

let veb = Veb.structure ~bits:22 "veb" "van Emde Boas trees"
let x_fast = X_fast.structure ~bits:24 "x_fast" "x-fast tries (up to 3 GB)"
let y_fast = Y_fast.structure ~bits:24 "y_fast" "y-fast tries"
let others = [ red_black; treap; b_tree; skip_list; hash_table; veb; x_fast; y_fast ]
