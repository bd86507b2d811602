open Testing.Growth
open Table
open Keyed
module C = Weft_containers

let in_order = C.Grouping.in_order

(* --- search trees --- *)

module Of_tree (M : sig
  include Weft_containers.Rooted.S with type Key.t = int

  val maps : int
  val check : 'v t -> unit
  val check_tree : 'v Tree.t -> unit
end) =
struct
  module T = M.Tree
  module Of = Ordered_map (M)

  let trees n = Array.init M.maps (fun _ -> M.snapshot (Of.filled n))
  let tree n = (trees n).(0)

  let some_of f n =
    let trees = trees n and keys = scattered n in
    repeat few (fun i -> f trees.(i mod M.maps) keys.(i * (n / few)))

  let compared name f = of_keys name Logarithmic (some_of f)
  let uncompared name f = words name Logarithmic (some_of (fun t _ -> f t))

  (* A tree is split at many keys: how much the heights differ is random. *)
  let of_halves name f =
    words name Logarithmic (fun n ->
        let trees = trees n and keys = scattered n in
        let split i =
          let k = keys.(i * (n / few)) in
          let l, _, r = T.split trees.(i mod M.maps) k in
          (l, k, r)
        in
        let halves = Array.init few split in
        repeat few (fun i -> f halves.(i)))

  (* Functions of the inner tree, under the tree's name; most are also in the map. *)
  let all =
    Of.cases Keyed.compared
    @ [
        constant "empty" (fun () -> T.empty);
        few_of "expose" tree T.expose;
        words "length, of the tree" Constant (fun n -> ignoring T.length (tree n));
        compared "mem, of the tree" T.mem;
        compared "find_opt, of the tree" T.find_opt;
        compared "insert" (fun t k -> T.insert t (k + 1) k);
        compared "insert, there" (fun t k -> T.insert t k 0);
        compared "remove, of the tree" T.remove;
        compared "warm" (fun t k -> T.warm t ~change:true 4 (fun i -> k + i));
        uncompared "min_binding_opt, of the tree" T.min_binding_opt;
        uncompared "max_binding_opt, of the tree" T.max_binding_opt;
        compared "succ, of the tree" T.succ;
        compared "pred, of the tree" T.pred;
        whole "iter, of the tree" tree (T.iter (fun _ _ -> ()));
        whole "fold, of the tree" tree (fun t -> T.fold (fun k _ l -> k :: l) t []);
        whole "to_seq, of the tree" tree (fun t -> Seq.iter ignore (T.to_seq t));
        compared "split" T.split;
        of_halves "join" (fun (l, k, r) -> T.join l k 0 r);
        of_halves "join2" (fun (l, _, r) -> T.join2 l r);
        uncompared "rejoin" (fun t ->
            match T.expose t with
            | Empty -> t
            | Root { left; key; value; right } -> T.rejoin t left key (value + 1) right);
        few_of "snapshot" Of.filled M.snapshot;
        of_keys "check" Linear (Of.of_filled M.check);
        of_keys "Tree.check" Linear (fun n -> ignoring M.check_tree (tree n));
      ]
end

module Avl = Of_tree (struct
  module Key = Key
  module T = C.Avl.Make (Key)
  include T

  let maps = 1
  let check_tree = T.Tree.check
end)

module Red_black = Of_tree (struct
  module Key = Key
  module T = C.Red_black.Make (Key)
  include T

  let maps = 1
  let check_tree = T.Tree.check
end)

module Treap = Of_tree (struct
  module Key = Key
  module T = C.Treap.Make (Key)
  include T

  let maps = 20
  let check_tree = T.Tree.check
end)

(* --- other maps --- *)

module B_tree = struct
  module M = C.B_tree.Make (Key)

  module Of = Ordered_map (struct
    include M

    let maps = 1
  end)

  let all = Of.cases compared @ [ of_keys "check" Linear (Of.of_filled M.check) ]
end

module Skip_list = struct
  module M = C.Skip_list.Make (Key)

  module Of = Ordered_map (struct
    include M

    let maps = 1
    let create () = create ~seed:1 ()
  end)

  let all =
    Of.cases compared
    @ [
        words "clear" Constant (Of.of_filled M.clear);
        words "head" Constant (Of.of_filled (fun m -> M.head m 0));
        words "draw" Constant (fun n ->
            let m = Of.filled n in
            ignoring (M.draw m) n);
        words "settle" Constant (Of.of_filled (fun m -> M.settle m ~added:0));
        of_keys "check" Linear_log (Of.of_filled M.check);
      ]
end

module Hash_table = struct
  module M = C.Hash_table.Make (Key)

  module Of = Map (struct
    include M

    let maps = 1
  end)

  let hash k = M.hash k
  let on_key name f = of_keys name Constant (fun n -> Of.some_of n (fun m k -> f m (hash k) k))
  let asked name f = words name Constant (Of.of_filled f)

  let all =
    Of.cases hashed
    @ [
        of_keys "of_seq" Linear (fun n -> ignoring M.of_seq (Array.to_seq (bindings n)));
        of_keys "hash" Constant (fun _ -> ignoring M.hash 5);
        on_key "mem_hashed" M.mem_hashed;
        on_key "find_hashed" M.find_hashed;
        on_key "add_hashed" (fun m h k -> M.add_hashed m h k 0);
        on_key "remove_hashed" M.remove_hashed;
        on_key "update_hashed" (fun m h k -> M.update_hashed m h k Fun.id);
        asked "segments" M.segments;
        asked "segment_index" (fun m -> M.segment_index m 5);
        asked "segment" (fun m -> M.segment m 0);
        asked "segment_of_hash" (fun m -> M.segment_of_hash m 5);
        asked "spread" M.spread;
        asked "settle" M.settle;
        words "longest_chain" Linear (Of.of_filled M.longest_chain);
        of_keys "check" Linear (Of.of_filled M.check);
      ]
end

(* --- maps from integers --- *)

module Of_integers (M : Weft_containers.Int_map.S) = struct
  module Of = Ordered_map (struct
    include M

    let maps = 1
    let create () = M.create ~bits:20 ()
  end)

  let sharded name f =
    few_of name
      (fun n ->
        let m = Of.filled n in
        let k = (scattered n).(0) in
        (m, k, [| M.shard_of m k |]))
      (fun (m, k, touched) ->
        let parts = M.expose m ~touched in
        let shard = M.open_shard parts 0 in
        f shard k;
        M.close_shard parts 0 shard;
        M.repair m parts)

  let nothing _ _ = ()

  let all =
    Of.cases counted_by_words
    @ [
        few_of "bits" Of.filled M.bits;
        whole "check" Of.filled M.check;
        few_of "shard_of" Of.filled (fun m -> M.shard_of m 5);
        sharded "expose" nothing;
        few_of "warm" Of.filled (fun m ->
            let parts = M.expose m ~touched:[| M.shard_of m 5 |] in
            M.warm parts [| 5 |] 1;
            M.repair m parts);
        sharded "open_shard" nothing;
        sharded "mem_in" (fun s k -> ignore (M.mem_in s k : bool));
        sharded "find_in" (fun s k -> ignore (M.find_in s k : int option));
        sharded "add_in" (fun s k -> M.add_in s k 0);
        sharded "remove_in" (fun s k -> ignore (M.remove_in s k : bool));
        sharded "update_in" (fun s k -> ignore (M.update_in s k Fun.id : int option));
        sharded "close_shard" nothing;
        sharded "repair" nothing;
      ]
end

module Veb = Of_integers (C.Veb)
module X_fast = Of_integers (C.X_fast)
module Y_fast = Of_integers (C.Y_fast)

(* --- others --- *)

module Queue = C.Priority_queue.Make (Key)

let queues =
  let filled n =
    let q = Queue.create () in
    Array.iter (fun (k, v) -> Queue.push q k v) (bindings n);
    q
  in
  let all name f = of_keys name Linear_log (fun n -> ignoring f (filled n)) in
  let failed _ e _ = raise e in
  let pushed n =
    let q = Queue.create () and keys = scattered n in
    fun () -> Queue.push_each in_order q ~count:n ~priority:(Array.get keys) ~value:Fun.id ~failed
  in
  [
    constant "create" Queue.create;
    few_of "length" filled Queue.length;
    each (of_keys "push" Linear_log (ignoring filled));
    each
      (of_keys "pop_min" Linear_log (fun n ->
           let q = filled n in
           repeat n (fun _ -> Queue.pop_min q)));
    all "min_opt" (fun q -> repeat few (fun _ -> Queue.min_opt q) ());
    words "of_seq" Linear (fun n -> ignoring Queue.of_seq (Array.to_seq (bindings n)));
    all "to_seq" (fun q -> Seq.iter ignore (Queue.to_seq q));
    of_keys "push_each" Linear_log pushed;
    of_keys "prepare" Linear_log (fun n () ->
        let q = filled n in
        Queue.prepare in_order q n);
    all "pop_each" (fun q ->
        Queue.pop_each in_order q ~count:(Queue.length q) ~popped:(fun _ _ -> ()) ~failed);
    all "pop_many" (fun q -> Queue.pop_many in_order q (Queue.length q));
    all "check" Queue.check;
  ]

let counters =
  let open C.Counter in
  let of_value name f = few_of name (fun value -> create ~value ()) f in
  [
    constant "create" (fun () -> create ());
    of_value "get" get;
    of_value "set" (fun c -> set c 1);
    of_value "add" (fun c -> add c 1);
    of_value "fetch_add" (fun c -> fetch_add c 1);
    of_value "incr" incr;
    of_value "decr" decr;
  ]

let checksums =
  [
    whole "string" (fun n -> String.make n 'x') C.Crc32c.string;
    whole "extend" (fun n -> Bytes.make n 'x') (fun b -> C.Crc32c.extend 0 b 0 (Bytes.length b));
  ]

let in_lib = List.map (Printf.sprintf "lib/containers/%s.mli")

let tables =
  let table ?(except = []) name cases files =
    { prefix = "Weft_containers." ^ name ^ "."; files = in_lib files; sizes; in_pool = true; cases; except }
  in
  let keys = ("the user's, of keys", [ "compare" ]) in
  let ordered = ("of ordered maps", [ "min_binding_opt"; "max_binding_opt"; "succ"; "pred" ]) in
  let tree name cases file = table ~except:[ keys ] name cases [ "maps"; "persistent"; "rooted"; file ] in
  [
    tree "Avl" Avl.all "avl";
    tree "Red_black" Red_black.all "red_black";
    tree "Treap" Treap.all "treap";
    table "B_tree" B_tree.all ~except:[ keys ] [ "maps"; "b_tree" ];
    table "Skip_list" Skip_list.all ~except:[ keys ] [ "maps"; "skip_list" ];
    table "Hash_table" Hash_table.all
      ~except:[ keys; ordered; ("a number", [ "most_in_one" ]) ]
      [ "maps"; "hash_table" ];
    table "Veb" Veb.all ~except:[ keys ] [ "maps"; "int_map"; "veb" ];
    table "X_fast" X_fast.all ~except:[ keys ] [ "maps"; "int_map"; "x_fast" ];
    table "Y_fast" Y_fast.all ~except:[ keys ] [ "maps"; "int_map"; "y_fast" ];
    table "Priority_queue" queues [ "priority_queue" ];
    table "Counter" counters [ "counter" ];
    table "Crc32c" checksums [ "crc32c" ];
  ]

let parts =
  List.map
    (fun (whose, files) -> ("a part of " ^ whose, in_lib files))
    [
      ("B_tree", [ "b_tree_check"; "b_tree_node"; "b_tree_repair" ]);
      ("Avl, Red_black and Treap", [ "binary_tree"; "join_based"; "priorities" ]);
      ( "Veb, X_fast and Y_fast",
        [ "core"; "joined"; "bit_word"; "bucket"; "int_table"; "sparse_array"; "universe" ] );
      ("Veb", [ "veb_node"; "veb_tree" ]);
      ("X_fast and Y_fast", [ "x_trie"; "y_trie" ]);
      ("Hash_table", [ "hash_segment" ]);
      ("Priority_queue", [ "bucket_stack"; "entry_heap" ]);
      ("Skip_list", [ "skip_block"; "skip_finger"; "skip_heights" ]);
      ( "Log_file",
        [
          "log_cursor";
          "log_error";
          "log_format";
          "log_lock";
          "log_reader";
          "log_recovery";
          "log_segments";
          "log_system";
          "log_writer";
        ] );
      ("batches", [ "grouping"; "fatal" ]);
    ]
