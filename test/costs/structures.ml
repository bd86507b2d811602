open Testing.Growth
open Table
open Keyed

(* The batched structures. *)

(* A given batch is applied as a batch: without a fixed cutoff that depends on what takes less time. *)
let cutoff = `Fixed 2

(* --- maps --- *)

module type BATCHED = sig
  type 'v t

  val add_all : 'v t -> (int * 'v) array -> unit
  val quiesce : 'v t -> unit
  val stats : 'v t -> Weft_batch.Stats.t

  (** As operations: one at a time, and some at once. *)

  val exec_find : 'v t -> int -> 'v option
  val exec_finds : 'v t -> int array -> 'v option array
  val submit_find : 'v t -> int -> 'v option Weft.promise
  val submit_finds : 'v t -> int array -> 'v option array Weft.promise
  val nothing_exclusive : 'v t -> unit
end

module Batched_cases (M : sig
  include MAP
  include BATCHED with type 'v t := 'v t
end) =
struct
  module Of = Map (M)

  let cases { one; many; case } =
    [
      case "add_all" many (fun n -> ignoring (M.add_all (M.create ())) (bindings n));
      case "add_all, all there" many (fun n -> ignoring (M.add_all (Of.filled n)) (bindings n));
      words "quiesce" Constant (Of.of_filled M.quiesce);
      words "stats" Constant (Of.of_filled M.stats);
      words "exclusive" Constant (Of.of_filled M.nothing_exclusive);
      case "exec" one (fun n -> Of.some_of n M.exec_find);
      case "exec_many" many (fun n -> ignoring (M.exec_finds (Of.filled n)) (scattered n));
      case "submit" one (fun n -> Of.some_of n (fun t k -> Weft.await (M.submit_find t k)));
      case "submit_many" many (fun n ->
          ignoring (fun keys -> Weft.await (M.submit_finds (Of.filled n) keys)) (scattered n));
    ]
end

module Cases (M : sig
  include MAP
  include BATCHED with type 'v t := 'v t
end) =
struct
  module Of = Map (M)
  module Batches = Batched_cases (M)

  let all costs = Of.cases costs @ Batches.cases costs
end

module Ordered_cases (M : sig
  include ORDERED_MAP
  include BATCHED with type 'v t := 'v t
end) =
struct
  module Of = Ordered_map (M)
  module Batches = Batched_cases (M)

  let all costs = Of.cases costs @ Batches.cases costs
end

module B_tree = Ordered_cases (struct
  include Weft_batch.B_tree.Make (Key)

  let maps = 1
  let create () = create ~cutoff ()
  let exec_find t k = exec t (Op.Find k)
  let exec_finds t keys = exec_many t (Array.map (fun k -> Op.Find k) keys)
  let submit_find t k = submit t (Op.Find k)
  let submit_finds t keys = submit_many t (Array.map (fun k -> Op.Find k) keys)
  let nothing_exclusive t = exclusive t ignore
end)

module Skip_list = Ordered_cases (struct
  include Weft_batch.Skip_list.Make (Key)

  let maps = 1
  let create () = create ~cutoff ~seed:1 ()
  let exec_find t k = exec t (Op.Find k)
  let exec_finds t keys = exec_many t (Array.map (fun k -> Op.Find k) keys)
  let submit_find t k = submit t (Op.Find k)
  let submit_finds t keys = submit_many t (Array.map (fun k -> Op.Find k) keys)
  let nothing_exclusive t = exclusive t ignore
end)

module Of_tree (M : sig
  include Weft_batch.Split_join.S with type Key.t = int

  val maps : int
end) =
struct
  module Cases = Ordered_cases (struct
    include M

    let create () = create ~cutoff ()
    let exec_find t k = exec t (Op.Find k)
    let exec_finds t keys = exec_many t (Array.map (fun k -> Op.Find k) keys)
    let submit_find t k = submit t (Op.Find k)
    let submit_finds t keys = submit_many t (Array.map (fun k -> Op.Find k) keys)
    let nothing_exclusive t = exclusive t ignore
  end)

  let all =
    Cases.all compared
    @ [
        words "make" Constant (fun _ -> ignoring M.make ());
        words "snapshot" Constant (Cases.Of.of_filled M.snapshot);
        words "of_tree" Constant (fun n ->
            let m = M.create () in
            M.add_all m (bindings n);
            ignoring (fun tree -> M.of_tree tree) (M.snapshot m));
      ]
end

module Avl = Of_tree (struct
  module Key = Key
  include Weft_batch.Avl.Make (Key)

  let maps = 1

  module Tree = Sequential.Tree
end)

module Red_black = Of_tree (struct
  module Key = Key
  include Weft_batch.Red_black.Make (Key)

  let maps = 1

  module Tree = Sequential.Tree
end)

module Treap = Of_tree (struct
  module Key = Key
  include Weft_batch.Treap.Make (Key)

  let maps = 20

  module Tree = Sequential.Tree
end)

module Hash_table = Cases (struct
  include Weft_batch.Hash_table.Make (Key)

  let maps = 1
  let create () = create ~cutoff ()
  let exec_find t k = exec t (Find (Sequential.hash k, k))
  let exec_finds t keys = exec_many t (Array.map (fun k -> Find (Sequential.hash k, k)) keys)
  let submit_find t k = submit t (Find (Sequential.hash k, k))
  let submit_finds t keys = submit_many t (Array.map (fun k -> Find (Sequential.hash k, k)) keys)
  let nothing_exclusive t = exclusive t ignore
end)

module Of_integers (M : Weft_batch.Int_maps.S) = struct
  module Cases = Ordered_cases (struct
    include M

    let maps = 1
    let create () = create ~cutoff ~bits:20 ()
    let exec_find t k = exec t (M.Op.Find k)
    let exec_finds t keys = exec_many t (Array.map (fun k -> M.Op.Find k) keys)
    let submit_find t k = submit t (M.Op.Find k)
    let submit_finds t keys = submit_many t (Array.map (fun k -> M.Op.Find k) keys)
    let nothing_exclusive t = exclusive t ignore
  end)

  let all = Cases.all counted_by_words @ [ words "bits" Constant (Cases.Of.of_filled M.bits) ]
end

module Veb = Of_integers (Weft_batch.Veb)
module X_fast = Of_integers (Weft_batch.X_fast)
module Y_fast = Of_integers (Weft_batch.Y_fast)

(* --- priority queues --- *)

module Queue = Weft_batch.Priority_queue.Make (Key)

let queues =
  let filled n =
    let q = Queue.create ~cutoff () in
    Queue.push_all q (bindings n);
    q
  in
  let of_filled f n = ignoring f (filled n) in
  let pushes name keys =
    each
    @@ of_keys ("push, " ^ name) Linear_log (fun n ->
           let q = Queue.create ~cutoff () and keys = keys n in
           repeat n (fun i -> Queue.push q keys.(i) i))
  in
  [
    words "create" Constant (fun _ -> ignoring Queue.create ());
    words "length" Constant (of_filled Queue.length);
    pushes "in no order" scattered;
    pushes "ascending" (fun n -> Array.init n Fun.id);
    pushes "descending" (fun n -> Array.init n (fun i -> n - i));
    pushes "of few priorities" (fun n -> Array.init n (fun i -> i land 3));
    of_keys "push_all" Linear_log (fun n -> ignoring (Queue.push_all (Queue.create ~cutoff ())) (bindings n));
    each
      (of_keys "pop_min" Linear_log (fun n ->
           let q = filled n in
           repeat n (fun _ -> Queue.pop_min q)));
    of_keys "pop_min, and push" Linear_log (fun n ->
        let q = filled n and keys = scattered n in
        repeat n (fun i ->
            Queue.push q keys.(n - 1 - i) i;
            Queue.pop_min q));
    of_keys "min_opt" Linear_log (fun n ->
        let q = filled n in
        repeat few (fun _ -> Queue.min_opt q));
    of_keys "pop_many" Linear_log (fun n -> ignoring (Queue.pop_many (filled n)) n);
    of_keys "to_seq" Linear_log (of_filled (fun q -> Seq.iter ignore (Queue.to_seq q)));
    words "quiesce" Constant (of_filled Queue.quiesce);
    words "stats" Constant (of_filled Queue.stats);
    words "exclusive" Constant (of_filled (fun q -> Queue.exclusive q ignore));
    each
      (of_keys "exec" Linear_log (fun n ->
           let q = Queue.create ~cutoff () and keys = scattered n in
           repeat n (fun i -> Queue.exec q (Push (keys.(i), i)))));
    of_keys "exec_many" Linear_log (fun n ->
        ignoring
          (Queue.exec_many (Queue.create ~cutoff ()))
          (Array.map (fun k -> Queue.Push (k, k)) (scattered n)));
    each
      (of_keys "submit" Linear_log (fun n ->
           let q = Queue.create ~cutoff () and keys = scattered n in
           repeat n (fun i -> Weft.await (Queue.submit q (Push (keys.(i), i))))));
    of_keys "submit_many" Linear_log (fun n ->
        ignoring
          (fun ops -> Weft.await (Queue.submit_many (Queue.create ~cutoff ()) ops))
          (Array.map (fun k -> Queue.Push (k, k)) (scattered n)));
  ]

(* Up to 512 elements are in a heap, where an element in random order takes two comparisons; further ones
   look for their bucket, and the elements in buckets have been sorted once. So the count jumps, up to the
   stated cost and no further. *)
let first_pushes () =
  let log n = log (float_of_int n) /. log 2. in
  List.iter
    (fun n ->
      let count = ref 0 in
      (note := fun () -> incr count);
      let q = Queue.create ~cutoff () and keys = scattered n in
      Array.iter (fun k -> Queue.push q k k) keys;
      if float_of_int !count > 2. *. float_of_int n *. log n then
        Alcotest.failf "%d comparisons to push %d elements" !count n)
    [ 2; 10; 100; 400; 500; 511; 512; 513; 600; 1000; 2000; 5000 ]

(* --- counters --- *)

let counters =
  let module C = Weft_batch.Counter in
  let one name f =
    words name Constant (fun n ->
        let c = C.create ~value:n () in
        repeat few (fun i -> f c i))
  in
  let nothing f c i = ignore (f c i) in
  [
    words "create" Constant (fun n -> ignoring (fun value -> C.create ~value ()) n);
    one "get" (fun c _ -> ignore (C.get c : int));
    one "set" C.set;
    one "add" C.add;
    one "fetch_add" (nothing C.fetch_add);
    one "incr" (fun c _ -> C.incr c);
    one "decr" (fun c _ -> C.decr c);
    one "quiesce" (fun c _ -> C.quiesce c);
    one "stats" (nothing (fun c _ -> C.stats c));
    one "exclusive" (fun c _ -> C.exclusive c ignore);
    one "exec" (nothing (fun c _ -> C.exec c Get));
    words "exec_many" Linear (fun n -> ignoring (C.exec_many (C.create ())) (Array.make n (C.Fetch_add 1)));
    one "submit" (nothing (fun c _ -> Weft.await (C.submit c Get)));
    words "submit_many" Linear (fun n ->
        ignoring (fun ops -> Weft.await (C.submit_many (C.create ()) ops)) (Array.make n (C.Fetch_add 1)));
  ]

(* --- all of them --- *)

(* Without options. *)
let made make cases = words "make" Constant (fun _ -> ignoring make ()) :: cases

let b_tree () =
  let module M = Weft_batch.B_tree.Make (Key) in
  ignore (M.make ())

let skip_list () =
  let module M = Weft_batch.Skip_list.Make (Key) in
  ignore (M.make ())

let hash_table () =
  let module M = Weft_batch.Hash_table.Make (Key) in
  ignore (M.make ())

let tables =
  let maps = "lib/containers/maps.mli" in
  let table ?(except = []) name cases files =
    let does = ("exec and exec_many do what these do", [ "apply"; "run_batch" ]) in
    let files = List.map (( ^ ) "lib/batch/") files in
    { prefix = "Weft_batch." ^ name ^ "."; files; sizes; in_pool = true; cases; except = does :: except }
  in
  let ordered name cases file =
    let except = [ ("the user's, of keys", [ "compare" ]) ] in
    let t = table ~except name cases [ file ] in
    { t with files = maps :: t.files }
  and of_integers name cases = table ~except:[ ("a string", [ "name" ]) ] name cases [ "int_maps.mli" ] in
  [
    ordered "B_tree" (made b_tree (B_tree.all compared)) "b_tree.mli";
    ordered "Skip_list" (made skip_list (Skip_list.all compared)) "skip_list.mli";
    table "Avl" Avl.all [ "split_join.mli"; "avl.mli" ];
    table "Red_black" Red_black.all [ "split_join.mli"; "red_black.mli" ];
    table "Treap" Treap.all [ "split_join.mli"; "treap.mli" ];
    table "Hash_table" (made hash_table (Hash_table.all hashed)) [ "hash_table.mli" ];
    of_integers "Veb" Veb.all;
    of_integers "X_fast" X_fast.all;
    of_integers "Y_fast" Y_fast.all;
    table "Priority_queue" queues [ "priority_queue.mli" ];
    table "Counter" counters [ "counter.mli" ];
  ]

let tests = [ Testing.Watchdog.case "the first pushes" (fun () -> Weft.run ~domains:1 first_pushes) ]
