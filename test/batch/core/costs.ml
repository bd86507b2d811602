open Testing.Growth

(* What the docstrings say about cost, for each function of the batched structures, in a pool of one worker. *)

(* Whom the keys tell that they were compared, or hashed. *)
let note = ref ignore

module Key = struct
  type t = int

  let compare a b =
    !note ();
    Int.compare a b

  let equal = Int.equal

  let hash k =
    !note ();
    Hashtbl.hash k
end

(* What is given as a batch is done as one: otherwise that depends on what takes less time. *)
let cutoff = `Fixed 2
let few = 200

let repeat n f () =
  for i = 0 to n - 1 do
    ignore (Sys.opaque_identity (f i))
  done

let ignoring f x () = ignore (Sys.opaque_identity (f x))

(* [n] different keys of 20 bits, in no order and without runs, and always the same: steps that can be taken back. *)
let scattered n =
  let key i =
    let k = i * 0x9E379 land 0xFFFFF in
    let k = k lxor (k lsr 9) in
    let k = k * 0x5BD1E995 land 0xFFFFF in
    k lxor (k lsr 11)
  in
  Array.init n key

let bindings n = Array.map (fun k -> (k, k)) (scattered n)

(* --- maps --- *)

module type MAP = sig
  type 'v t

  val maps : int
  (** So many are made, and used in turn: more than one where their shape is random. *)

  val create : unit -> 'v t
  val length : 'v t -> int
  val mem : 'v t -> int -> bool
  val find_opt : 'v t -> int -> 'v option
  val add : 'v t -> int -> 'v -> unit
  val add_all : 'v t -> (int * 'v) array -> unit
  val remove : 'v t -> int -> bool
  val update : 'v t -> int -> ('v option -> 'v option) -> 'v option
  val iter : (int -> 'v -> unit) -> 'v t -> unit
  val fold : (int -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (int * 'v) Seq.t
  val quiesce : 'v t -> unit
  val stats : 'v t -> Weft_batch.Stats.t

  (** As operations: one, and some at once. *)

  val exec_find : 'v t -> int -> 'v option
  val exec_finds : 'v t -> int array -> 'v option array
  val nothing_exclusive : 'v t -> unit
end

module type ORDERED_MAP = sig
  include MAP

  val min_binding_opt : 'v t -> (int * 'v) option
  val max_binding_opt : 'v t -> (int * 'v) option
  val succ : 'v t -> int -> (int * 'v) option
  val pred : 'v t -> int -> (int * 'v) option
end

(* What one operation on a key costs, what many of them do, and whether keys are called at all. *)
type costs = { one : bound; many : bound; case : string -> bound -> (int -> unit -> unit) -> case }

let of_keys name bound run =
  calls name bound (fun noting n ->
      note := noting;
      run n)

let compared = { one = Logarithmic; many = Linear_log; case = of_keys }
let hashed = { one = Constant; many = Linear; case = of_keys }

(* Maps from integers call nothing. *)
let counted_by_words = { one = Constant; many = Linear; case = words }

module Cases (M : MAP) = struct
  let filled n =
    let m = M.create () in
    M.add_all m (bindings n);
    m

  (* Of maps of [n] bindings, to do [few] things. *)
  let some_of n f =
    let maps = Array.init M.maps (fun _ -> filled n) and keys = scattered n in
    repeat few (fun i -> f maps.(i mod M.maps) keys.(i * (n / few)))

  let of_filled f n = ignoring f (filled n)

  let all { one; many; case } =
    [
      words "create" Constant (fun _ -> ignoring M.create ());
      words "length" Constant (of_filled M.length);
      case "mem" one (fun n -> some_of n M.mem);
      case "find_opt" one (fun n -> some_of n M.find_opt);
      case "update" one (fun n -> some_of n (fun m k -> M.update m k (fun _ -> Some 0)));
      case "update, each away and back" many (fun n ->
          let m = filled n and keys = scattered n in
          repeat n (fun i ->
              ignore (M.update m keys.(i) (fun _ -> None));
              M.update m keys.(i) (fun _ -> Some 0)));
      case "add" many (fun n ->
          let m = M.create () and keys = scattered n in
          repeat n (fun i -> M.add m keys.(i) i));
      case "add, ascending" many (fun n ->
          let m = M.create () in
          repeat n (fun i -> M.add m i i));
      case "add, all there" many (fun n ->
          let m = filled n and keys = scattered n in
          repeat n (fun i -> M.add m keys.(i) i));
      case "add_all" many (fun n -> ignoring (M.add_all (M.create ())) (bindings n));
      case "add_all, all there" many (fun n -> ignoring (M.add_all (filled n)) (bindings n));
      case "remove" many (fun n ->
          let m = filled n and keys = scattered n in
          repeat n (fun i -> M.remove m keys.(i)));
      words "iter" Linear (of_filled (M.iter (fun _ _ -> ())));
      words "fold" Linear (of_filled (fun m -> M.fold (fun k _ l -> k :: l) m []));
      words "to_seq" Linear (of_filled (fun m -> Seq.iter ignore (M.to_seq m)));
      words "quiesce" Constant (of_filled M.quiesce);
      words "stats" Constant (of_filled M.stats);
      words "exclusive" Constant (of_filled M.nothing_exclusive);
      case "exec" one (fun n -> some_of n M.exec_find);
      case "exec_many" many (fun n -> ignoring (M.exec_finds (filled n)) (scattered n));
    ]
end

module Ordered_cases (M : ORDERED_MAP) = struct
  module Cases = Cases (M)

  let all ({ one; case; _ } as costs) =
    Cases.all costs
    @ [
        words "min_binding_opt" one (fun n -> Cases.some_of n (fun m _ -> M.min_binding_opt m));
        words "max_binding_opt" one (fun n -> Cases.some_of n (fun m _ -> M.max_binding_opt m));
        case "succ" one (fun n -> Cases.some_of n M.succ);
        case "pred" one (fun n -> Cases.some_of n M.pred);
      ]
end

module B_tree = Ordered_cases (struct
  include Weft_batch.B_tree.Make (Key)

  let maps = 1
  let create () = create ~cutoff ()
  let exec_find t k = exec t (Op.Find k)
  let exec_finds t keys = exec_many t (Array.map (fun k -> Op.Find k) keys)
  let nothing_exclusive t = exclusive t ignore
end)

module Skip_list = Ordered_cases (struct
  include Weft_batch.Skip_list.Make (Key)

  let maps = 1
  let create () = create ~cutoff ~seed:1 ()
  let exec_find t k = exec t (Op.Find k)
  let exec_finds t keys = exec_many t (Array.map (fun k -> Op.Find k) keys)
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
    let nothing_exclusive t = exclusive t ignore
  end)

  let all =
    Cases.all compared
    @ [
        words "snapshot" Constant (Cases.Cases.of_filled M.snapshot);
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
  let nothing_exclusive t = exclusive t ignore
end)

module Of_integers (M : Weft_batch.Int_maps.S) = struct
  module Cases = Ordered_cases (struct
    include M

    let maps = 1
    let create () = create ~cutoff ~bits:20 ()
    let exec_find t k = exec t (M.Op.Find k)
    let exec_finds t keys = exec_many t (Array.map (fun k -> M.Op.Find k) keys)
    let nothing_exclusive t = exclusive t ignore
  end)

  let all = Cases.all counted_by_words @ [ words "bits" Constant (Cases.Cases.of_filled M.bits) ]
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
    of_keys ("push, " ^ name) Linear_log (fun n ->
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
    of_keys "pop_min" Linear_log (fun n ->
        let q = filled n in
        repeat n (fun _ -> Queue.pop_min q));
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
    of_keys "exec" Linear_log (fun n ->
        let q = Queue.create ~cutoff () and keys = scattered n in
        repeat n (fun i -> Queue.exec q (Push (keys.(i), i))));
    of_keys "exec_many" Linear_log (fun n ->
        ignoring
          (Queue.exec_many (Queue.create ~cutoff ()))
          (Array.map (fun k -> Queue.Push (k, k)) (scattered n)));
  ]

(* Up to 512 elements come to lie in a heap, where one that comes in no order costs two comparisons; further ones look for their bucket,
   and what is in buckets has been sorted once. So there is a jump, to what is stated and no further. *)
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
  ]

(* --- all of them --- *)

(* The smallest sizes are above those of a priority queue's heap. *)
let sizes =
  List.filteri (fun i _ -> i < Testing.Effort.count ~quick:1 ~usual:2 ~long:3) [ 1000; 3000; 10_000 ]

let structures =
  let open Interfaces in
  (* [exec] and [exec_many] do what these do. *)
  let batches = [ "apply"; "run_batch" ] in
  let ordered_map = maps ^ "\n" in
  [
    ("B_tree", B_tree.all compared, ordered_map ^ b_tree, "compare" :: batches);
    ("Skip_list", Skip_list.all compared, ordered_map ^ skip_list, "compare" :: batches);
    ("Avl", Avl.all, split_join, batches);
    ("Red_black", Red_black.all, split_join, batches);
    ("Treap", Treap.all, split_join, batches);
    ("Hash_table", Hash_table.all hashed, hash_table, batches);
    ("Veb", Veb.all, int_maps, "name" :: batches);
    ("X_fast", X_fast.all, int_maps, "name" :: batches);
    ("Y_fast", Y_fast.all, int_maps, "name" :: batches);
    ("Priority_queue", queues, priority_queue, batches);
    ("Counter", counters, counter, batches);
  ]

let tests =
  let of_structure (name, cases, interface, except) =
    let prefix = "Weft_batch." ^ name ^ "." in
    [
      Support.case name (fun () -> Weft.run ~domains:1 (fun () -> check prefix ~sizes cases));
      Support.case (name ^ ": none is missing") (fun () -> check_complete prefix ~interface ~except cases);
    ]
  in
  List.concat_map of_structure structures
  @ [ Support.case "the first pushes" (fun () -> Weft.run ~domains:1 first_pushes) ]
