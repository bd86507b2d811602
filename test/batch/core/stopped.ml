(* Functions that change a structure are stopped wherever they can be: by the user's functions at each call
   in turn, by time-outs at some moment, at the end of a stack. Afterwards the structure is in order, and
   holds the effects of the calls that have returned, and none of those that have raised. *)

open Support
module Cancel = Weft.Cancel
module Full_stack = Testing_pools.Full_stack

exception Planned

(* Every call of a user's function comes here. *)
let at_call = Atomic.make ignore
let called () = (Atomic.get at_call) ()

module Key = struct
  type t = int

  let compare a b =
    called ();
    Int.compare a b

  let equal a b =
    called ();
    Int.equal a b

  let hash k =
    called ();
    k * 7919
end

(* What a call that has raised may have done. *)
type whole =
  | Nothing
  | Some_of_it  (** the user's function raised: the other operations of a batch are applied *)
  | Unknown  (** the caller was perhaps cancelled while it waited for the answer *)

type 's change = {
  name : string;  (** the function's name, and after a comma details *)
  whole : whole;
  large : bool;  (** it takes milliseconds *)
  act : 's -> int -> unit;  (** the call of task [i] *)
}

type 's subject = {
  name : string;  (** the module's name, and after a comma details *)
  reads : string list;  (** the functions that change nothing *)
  create : unit -> 's;
  contents : 's -> int list;  (** in order; raises if the structure is not in good order *)
  hold : 's -> unit;  (** holds the structure while others come *)
  drop : 's -> unit;
  changes : 's change list;
}

type any = Any : 's subject -> any

let by ?(whole = Nothing) ?(large = false) name act = { name; whole; large; act }
let tasks = 12

(* The caller may be stopped while it awaits the promise. The operation is applied all the same, so what the
   structure then holds is [Unknown]. *)
let awaited promise = ignore (Weft.await promise)

(* --- subjects --- *)

(* For sorted lists. *)
let rec included less more =
  match (less, more) with
  | [], _ -> true
  | _, [] -> false
  | x :: less', y :: more' ->
      if x = y then included less' more' else if y < x then included less more' else false

let hold exclusive s =
  exclusive s (fun _ ->
      for _ = 1 to 3 do
        Weft.yield ()
      done)

let some_keys = Array.init 64 (fun i -> 10 * i)
let unbound i = (10 * i) + 5
let many_bindings = Array.init 9_000 (fun i -> ((i / 2 * 10) + 3 + (i land 1), i))
let unbound_many i = Array.init 40 (fun j -> (1000 * (i + 1)) + (j * 7 mod 40))

(* Binds, unbinds, and changes. *)
let update i update t =
  let f before =
    called ();
    match before with Some _ when i mod 2 = 0 -> None | Some v -> Some (v + 1000) | None -> Some 7
  in
  ignore (update t (if i mod 3 = 0 then unbound i else 10 * i) f : int option)

let map_reads =
  String.split_on_char ' '
    "create make bits length mem find_opt iter fold to_seq quiesce stats min_binding_opt max_binding_opt \
     succ pred exclusive"

let of_bindings bindings = List.sort compare (List.map (fun (k, v) -> (100_000 * k) + v) bindings)

module type MAP = sig
  type t

  val create : unit -> t
  val add : t -> int -> int -> unit
  val remove : t -> int -> bool
  val update : t -> int -> (int option -> int option) -> int option
  val add_all : t -> (int * int) array -> unit
  val exec_adds : t -> int -> unit
  val exec_many_adds : t -> int array -> unit
  val submit_adds : t -> int -> unit
  val submit_many_adds : t -> int array -> unit

  val bindings : t -> (int * int) list
  (** checked *)

  val hold : t -> unit
end

let map ?(reads = []) name (module M : MAP) =
  let create () =
    let t = M.create () in
    M.add_all t (Array.map (fun k -> (k, 1)) some_keys);
    t
  in
  Any
    {
      name;
      reads = reads @ map_reads;
      create;
      contents = (fun t -> of_bindings (M.bindings t));
      hold = M.hold;
      drop = ignore;
      changes =
        [
          by "add" (fun t i -> M.add t (if i mod 3 = 0 then 10 * i else unbound i) i);
          by "remove" (fun t i -> ignore (M.remove t (10 * i) : bool));
          by "update" (fun t i -> update i M.update t);
          by "exec" (fun t i -> M.exec_adds t (unbound i));
          by ~whole:Some_of_it "exec_many" (fun t i -> M.exec_many_adds t (unbound_many i));
          by ~whole:Unknown "submit" (fun t i -> M.submit_adds t (unbound i));
          by ~whole:Unknown "submit_many" (fun t i -> M.submit_many_adds t (unbound_many i));
          by ~whole:Some_of_it "add_all" (fun t i ->
              M.add_all t (Array.map (fun k -> (k, k)) (unbound_many i)));
          by ~whole:Some_of_it ~large:true "add_all, many" (fun t _ -> M.add_all t many_bindings);
        ];
    }

module type KIND = sig
  module Sequential : Weft_containers.Rooted.S with module Key := Key
  include Weft_batch.Split_join.S with module Key := Key and module Tree := Sequential.Tree

  val check : 'v Sequential.Tree.t -> unit
end

module Of_tree (M : KIND) = struct
  type t = int M.t

  let create () = M.create ()
  let add, remove, update, add_all = M.(add, remove, update, add_all)
  let exec_adds t k = M.exec t (Add (k, 1))
  let exec_many_adds t keys = ignore (M.exec_many t (Array.map (fun k -> M.Op.Add (k, 1)) keys) : unit array)
  let submit_adds t k = awaited (M.submit t (Add (k, 1)))
  let submit_many_adds t keys = awaited (M.submit_many t (Array.map (fun k -> M.Op.Add (k, 1)) keys))

  let bindings t =
    M.check (M.snapshot t);
    List.of_seq (M.to_seq t)

  let hold t = hold M.exclusive t
end

module Avl = struct
  include Weft_batch.Avl.Make (Key)

  let check = Sequential.Tree.check
end

module Red_black = struct
  include Weft_batch.Red_black.Make (Key)

  let check = Sequential.Tree.check
end

module Treap = struct
  include Weft_batch.Treap.Make (Key)

  let check = Sequential.Tree.check
end

module B_tree = struct
  module M = Weft_batch.B_tree.Make (Key)
  include M

  type t = int M.t

  let create () = M.create ()
  let exec_adds t k = exec t (Add (k, 1))
  let exec_many_adds t keys = ignore (exec_many t (Array.map (fun k -> Op.Add (k, 1)) keys) : unit array)
  let submit_adds t k = awaited (submit t (Add (k, 1)))
  let submit_many_adds t keys = awaited (submit_many t (Array.map (fun k -> Op.Add (k, 1)) keys))
  let hold t = hold exclusive t

  let bindings t =
    M.exclusive t (fun s ->
        Sequential.check s;
        List.of_seq (Sequential.to_seq s))
end

module Skip_list = struct
  module M = Weft_batch.Skip_list.Make (Key)
  include M

  type t = int M.t

  let create () = M.create ()
  let exec_adds t k = exec t (Add (k, 1))
  let exec_many_adds t keys = ignore (exec_many t (Array.map (fun k -> Op.Add (k, 1)) keys) : unit array)
  let submit_adds t k = awaited (submit t (Add (k, 1)))
  let submit_many_adds t keys = awaited (submit_many t (Array.map (fun k -> Op.Add (k, 1)) keys))
  let hold t = hold exclusive t

  let bindings t =
    M.exclusive t (fun s ->
        Sequential.check s;
        List.of_seq (Sequential.to_seq s))
end

module Hash_table = struct
  module M = Weft_batch.Hash_table.Make (Key)
  include M

  type t = int M.t

  let create () = M.create ()
  let op k : (int, unit) op = Add (Sequential.hash k, k, 1)
  let exec_adds t k = exec t (op k)
  let exec_many_adds t keys = ignore (exec_many t (Array.map op keys) : unit array)
  let submit_adds t k = awaited (submit t (op k))
  let submit_many_adds t keys = awaited (submit_many t (Array.map op keys))
  let hold t = hold exclusive t

  let bindings t =
    M.exclusive t (fun s ->
        Sequential.check s;
        List.of_seq (Sequential.to_seq s))
end

module Of_integers (M : Weft_batch.Int_maps.S) = struct
  include M

  type t = int M.t

  let create () = M.create ~bits:16 ()
  let exec_adds t k = exec t (Add (k, 1))
  let exec_many_adds t keys = ignore (exec_many t (Array.map (fun k -> Op.Add (k, 1)) keys) : unit array)
  let submit_adds t k = awaited (submit t (Add (k, 1)))
  let submit_many_adds t keys = awaited (submit_many t (Array.map (fun k -> Op.Add (k, 1)) keys))
  let hold t = hold exclusive t

  let bindings t =
    M.exclusive t (fun s ->
        Sequential.check s;
        List.of_seq (Sequential.to_seq s))
end

module Queue = Weft_batch.Priority_queue.Make (Key)

let queue name ~size changes =
  let contents q =
    Queue.exclusive q Queue.Sequential.check;
    List.map fst (List.of_seq (Queue.to_seq q))
  in
  let create () =
    let q = Queue.create () in
    Queue.push_all q (Array.init size (fun i -> (i * 7919 mod (2 * size), i)));
    q
  in
  Any
    {
      name;
      reads = String.split_on_char ' ' "create length min_opt to_seq quiesce stats exclusive";
      create;
      contents;
      hold = hold Queue.exclusive;
      drop = ignore;
      changes;
    }

let pop_many n q _ = ignore (Queue.pop_many q n : (int * int) array)

let small_queue =
  let pushed i = Array.init 40 (fun j -> (((i * 40) + j) * 7919 mod 120, j)) in
  queue "Priority_queue" ~size:60
    [
      by "push" (fun q i -> Queue.push q i i);
      by "pop_min" (fun q _ -> ignore (Queue.pop_min q : (int * int) option));
      by ~whole:Some_of_it "push_all" (fun q i -> Queue.push_all q (pushed i));
      by "pop_many" (pop_many 4);
      by "exec" (fun q i -> Queue.exec q (Push (i, i)));
      by ~whole:Some_of_it "exec_many" (fun q i ->
          let op (p, v) = Queue.Push (p, v) in
          ignore (Queue.exec_many q (Array.map op (pushed i)) : unit array));
      by ~whole:Unknown "submit" (fun q i -> awaited (Queue.submit q (Push (i, i))));
      by ~whole:Unknown "submit_many" (fun q i ->
          awaited (Queue.submit_many q (Array.map (fun (p, v) -> Queue.Push (p, v)) (pushed i))));
    ]

(* Most elements are in buckets, and so many are removed in parallel. *)
let large_queue =
  let size = 20_000 in
  queue "Priority_queue, large" ~size
    [
      by ~large:true "pop_min" (fun q _ -> ignore (Queue.pop_min q : (int * int) option));
      by ~large:true "pop_many" (pop_many (size / 2));
      by ~large:true ~whole:Some_of_it "push_all" (fun q _ ->
          Queue.push_all q (Array.init 3_000 (fun i -> (i * 13 mod (2 * size), i))));
    ]

(* Each task adds another bit, so the counter's bits tell whose additions are in it. *)
let counter =
  let module C = Weft_batch.Counter in
  let bit i = 1 lsl i in
  let bits_of n = List.filter (fun b -> n land b <> 0) (List.init Sys.int_size bit) in
  Any
    {
      name = "Counter";
      reads = String.split_on_char ' ' "create get quiesce stats exclusive";
      create = (fun () -> C.create ~value:(bit 40) ());
      contents = (fun c -> bits_of (C.get c));
      hold = hold C.exclusive;
      drop = ignore;
      changes =
        [
          by "add" (fun c i -> C.add c (bit i));
          by "set" (fun c _ -> C.set c 7);
          by "fetch_add" (fun c i -> ignore (C.fetch_add c (bit i) : int));
          by "incr" (fun c _ -> C.incr c);
          by "decr" (fun c _ -> C.decr c);
          by "exec" (fun c i -> C.exec c (Add (bit i)));
          by "exec_many" (fun c i -> ignore (C.exec_many c (Array.make 5000 (C.Add (bit i))) : unit array));
          by ~whole:Unknown "submit" (fun c i -> awaited (C.submit c (Add (bit i))));
          by ~whole:Unknown "submit_many" (fun c i ->
              awaited (C.submit_many c [| Add 0; Add (bit i); Add 0 |]));
        ];
    }

let datalog =
  let module D = Weft_batch.Datalog in
  let open D.Sequential in
  let edge a b = fact "edge" [ Int a; Int b ] in
  let program =
    let edges = List.init 30 (fun i -> Printf.sprintf "edge(%d, %d)." i (i + 1)) in
    "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z)." ^ String.concat "" edges
  in
  (* All paths, so that what follows from the facts is checked, too. *)
  let contents d =
    D.exclusive d check;
    let number = function Int n -> n | _ -> assert false in
    let { values; count; _ } = D.query d (parse_query "path(X, Y)") in
    List.sort compare
      (List.init count (fun i -> (1000 * number values.(2 * i)) + number values.((2 * i) + 1)))
  in
  Any
    {
      name = "Datalog";
      reads =
        String.split_on_char ' ' "create of_string query count holds query_all exclusive quiesce stats runner";
      create = (fun () -> D.of_string program);
      contents;
      hold = hold D.exclusive;
      drop = ignore;
      changes =
        [
          by "assert_fact" (fun d i -> ignore (D.assert_fact d (edge i (100 + i)) : bool));
          by "retract" (fun d i -> ignore (D.retract d (edge (2 * i) ((2 * i) + 1)) : bool));
          by "change" (fun d i ->
              ignore (D.change d [| Assert (edge (200 + i) i); Retract (edge i (i + 1)) |] : bool array));
          by "exec" (fun d i -> ignore (D.exec d (Change (Assert (edge i (100 + i)))) : bool));
          by "exec_many" (fun d i ->
              let op j = D.Change (Assert (edge i (100 + j))) in
              ignore (D.exec_many d (Array.init 5 op) : bool array));
          by ~whole:Unknown "submit" (fun d i -> awaited (D.submit d (Change (Assert (edge i (100 + i))))));
          by ~whole:Unknown "submit_many" (fun d i ->
              awaited (D.submit_many d (Array.init 5 (fun j -> D.Change (Assert (edge i (100 + j)))))));
          (* The first query makes indexes. *)
          by "query, with an index to be made" (fun d i ->
              ignore (D.query d (parse_query (Printf.sprintf "path(X, %d)" i)) : answers));
        ];
    }

let log =
  let module L = Weft_batch.Log in
  let system =
    {
      Weft_containers.Log_system.real with
      sync =
        (fun _ ->
          called ();
          Thread.yield ());
    }
  in
  let create () =
    let path = Filename.temp_dir ~temp_dir:Testing.Folder.in_memory "log" "" in
    let log = L.open_ ~system ~segment_size:100 (Filename.concat path "log") in
    let positions = L.append_many log (Array.init 8 string_of_int) in
    (path, log, Array.append positions (Array.init 8 (fun i -> L.append log (string_of_int (100 + i)))))
  in
  let records log = List.sort compare (L.fold (fun _ s all -> int_of_string s :: all) log []) in
  (* The file has whole records, and those that the log has shown. It may have more, if it could not be
     synced. *)
  let contents (path, log, _) =
    let shown = records log in
    L.close log;
    let again = L.open_ ~system (Filename.concat path "log") in
    let there = records again in
    L.close again;
    if not (included shown there) then Alcotest.fail "the file lacks records";
    there
  in
  let group i = Array.init 3 (fun j -> string_of_int ((1000 * (i + 1)) + j)) in
  let on f (_, log, _) i = f log i in
  let op i = L.Append (Weft_containers.Log_file.record (string_of_int (1000 + i))) in
  Any
    {
      name = "Log";
      reads =
        String.split_on_char ' '
          "open_ recovery close sync length first read fold iter stats quiesce sequential";
      create;
      contents;
      hold = (fun (_, log, _) -> L.sync log);
      drop =
        (fun (path, log, _) ->
          L.close log;
          Testing.Folder.remove path);
      changes =
        [
          by ~whole:Unknown "append" (on (fun l i -> ignore (L.append l (string_of_int (1000 + i)) : int)));
          by ~whole:Unknown "append_many" (on (fun l i -> ignore (L.append_many l (group i) : int array)));
          by ~whole:Unknown "exec" (on (fun l i -> ignore (L.exec l (op i) : int)));
          by ~whole:Unknown "exec_many" (on (fun l i -> ignore (L.exec_many l [| op i |] : int array)));
          by ~whole:Unknown "submit" (on (fun l i -> awaited (L.submit l (op i))));
          by ~whole:Unknown "submit_many" (on (fun l i -> awaited (L.submit_many l [| op i; op (i + 500) |])));
          by ~whole:Unknown "drop_before" (fun (_, log, positions) i -> L.drop_before log positions.(i));
        ];
    }

let copies x n = List.init n (fun _ -> x)

(* Structures of a user: a number with a batch function, and numbers in shards. *)
let own =
  let call (s : Subject.t) i () =
    called ();
    s.value <- s.value + (1 lsl (2 * i))
  in
  (* [i] as often as it was called. *)
  let numbers value = List.concat (List.init tasks (fun i -> copies i ((value lsr (2 * i)) land 3))) in
  Any
    {
      name = "Make";
      reads = [ "create"; "quiesce"; "unguarded"; "stats"; "exclusive" ];
      create = (fun () -> B.create (Subject.make ()));
      contents = (fun b -> numbers (B.exec b Get));
      hold = hold B.exclusive;
      drop = ignore;
      changes =
        [
          by "exec" (fun b i -> B.exec b (Call (call (B.unguarded b) i)));
          by ~whole:Some_of_it "exec_many" (fun b i ->
              let op _ = Subject.Call (call (B.unguarded b) i) in
              ignore (B.exec_many b (Array.init 3 op) : unit array));
          by ~whole:Unknown "submit" (fun b i -> awaited (B.submit b (Call (call (B.unguarded b) i))));
          by ~whole:Unknown "submit_many" (fun b i ->
              awaited (B.submit_many b (Array.init 3 (fun _ -> Subject.Call (call (B.unguarded b) i)))));
          by ~whole:Some_of_it "exec_all" (fun b i -> B.exec_all b 3 (fun _ -> Call (call (B.unguarded b) i)));
        ];
    }

module Sharded = struct
  type 'v t = int array
  type ('v, _) op = Add : int -> ('v, unit) op
  type 'v packed = Op : ('v, 'a) op * 'a Weft_batch.Cell.t -> 'v packed
  type 'v parts = { counters : int array; touched : int array }

  let apply (type a) t (Add i : (_, a) op) : a =
    called ();
    t.(i) <- t.(i) + 1

  let shard_of (type a) _ (Add i : (_, a) op) = i
  let expose counters ~touched = { counters; touched }
  let prepare _ _ _ ~first:_ ~last:_ = ()

  let run_shard p ~shard:_ ops order ~first ~last =
    for j = first to last do
      let (Op (Add i, cell)) = ops.(order.(j)) in
      match apply p.counters (Add i) with
      | () -> Weft_batch.Cell.resolve cell ()
      | exception exn -> Weft_batch.Cell.fail cell exn (Printexc.get_raw_backtrace ())
    done

  let repair _ _ = ()
end

let sharded =
  let module S = Weft_batch.Expose_repair (Sharded) in
  let op i = Sharded.Add (i mod 8) in
  Any
    {
      name = "Expose_repair";
      reads = [ "create"; "quiesce"; "unguarded"; "stats"; "exclusive" ];
      create = (fun () -> S.create (Array.make 8 0));
      contents = (fun s -> List.concat (List.mapi copies (S.exclusive s Array.to_list)));
      hold = hold S.exclusive;
      drop = ignore;
      changes =
        [
          by "exec" (fun s i -> S.exec s (op i));
          by ~whole:Some_of_it "exec_many" (fun s _ ->
              ignore (S.exec_many s (Array.init 100 op) : unit array));
          by ~whole:Unknown "submit" (fun s i -> awaited (S.submit s (op i)));
          by ~whole:Unknown "submit_many" (fun s _ -> awaited (S.submit_many s (Array.init 100 op)));
          by ~whole:Some_of_it "exec_all" (fun s _ -> S.exec_all s 100 op);
        ];
    }

let subjects =
  let tree = map ~reads:[ "of_tree"; "snapshot" ] in
  [
    tree "Avl" (module Of_tree (Avl));
    tree "Red_black" (module Of_tree (Red_black));
    tree "Treap" (module Of_tree (Treap));
    map "B_tree" (module B_tree);
    map "Skip_list" (module Skip_list);
    map "Hash_table" (module Hash_table);
    map "Veb" (module Of_integers (Weft_batch.Veb));
    map "X_fast" (module Of_integers (Weft_batch.X_fast));
    map "Y_fast" (module Of_integers (Weft_batch.Y_fast));
    small_queue;
    large_queue;
    counter;
    datalog;
    log;
    own;
    sharded;
  ]

(* --- stopping --- *)

type outcome = Not_begun | Done | Raised of exn

let is_planned = function
  | Planned | Stack_overflow | Cancel.Cancelled _ | Cancel.Timeout -> true
  | Weft_batch.Log.Failed _ -> true
  | _ -> false

let show l =
  let first = List.filteri (fun i _ -> i < 30) l in
  Printf.sprintf "%d elements, %s" (List.length l) (String.concat " " (List.map string_of_int first))

(* Who calls at the same time: nobody, several tasks, or several while a task holds the structure, so that
   their calls line up. *)
type among = Alone | Others | Line

let name_of_among = function Alone -> "alone" | Others -> "among others" | Line -> "in line"

(* Runs the tasks inside [stop], and then checks the structure. *)
let attempt (c : _ subject) (ch : _ change) ~among where stop =
  let last, busy =
    match among with Alone -> (0, false) | Others -> (tasks - 1, false) | Line -> (tasks - 1, true)
  in
  let s = c.create () and outcomes = Array.make tasks Not_begun in
  let body i =
    if i < 0 then (if busy then c.hold s)
    else
      match ch.act s i with
      | () -> outcomes.(i) <- Done
      | exception exn ->
          outcomes.(i) <- Raised exn;
          raise exn
  in
  (match stop (fun () -> Weft.parallel_for ~chunk_size:1 ~start:(-1) ~finish:last ~body ()) with
  | () -> ()
  | exception exn when is_planned exn -> ());
  Atomic.set at_call ignore;
  let model () = c.create () in
  let with_those apply =
    let m = model () in
    Array.iteri (fun i o -> if apply o then ch.act m i) outcomes;
    let contents = c.contents m in
    c.drop m;
    contents
  in
  let got = c.contents s in
  c.drop s;
  let least = with_those (( = ) Done) in
  let may_be_partial = function
    | Raised (Cancel.Cancelled _ | Cancel.Timeout) -> ch.whole = Unknown
    | Raised _ -> ch.whole <> Nothing
    | Not_begun | Done -> false
  in
  let fits =
    got = least
    || Array.exists may_be_partial outcomes
       &&
       let most = with_those (fun o -> o = Done || may_be_partial o) in
       (included least got && included got most) || (included most got && included got least)
  in
  if not fits then
    Alcotest.failf "Weft_batch.%s.%s, %s: expected %s; there are %s" c.name ch.name (where ()) (show least)
      (show got)

let rec overflow n = 1 + overflow (n + Sys.opaque_identity 1)

(* The time-out has been seen, or has had time to be. *)
let late () =
  let until = Weft.now () +. 0.0005 in
  let rec wait () =
    match Cancel.check () with
    | () -> if Weft.now () < until then wait ()
    | exception (Cancel.Timeout | Cancel.Cancelled _) -> ()
  in
  wait ()

(* What happens at a call, and what is around the whole. *)
let ways =
  let within f =
    let token = Cancel.create () in
    f token (Cancel.within token)
  in
  let raising exn = within (fun _ run -> ((fun () -> raise exn), run)) in
  [
    ("exception", 1, fun () -> raising Planned);
    ("cancellation", 1, fun () -> within (fun token run -> ((fun () -> Cancel.cancel token), run)));
    ("stack overflow", 2, fun () -> raising Stack_overflow);
    ("full stack", 8, fun () -> ((fun () -> ignore (overflow 0 : int)), fun f -> f ()));
    ("time-out", 8, fun () -> (late, Cancel.with_timeout 0.0003));
  ]

(* One call in many. *)
let step calls rarity = Int.max 1 (calls * rarity / Testing.Effort.count ~quick:2 ~usual:4 ~long:100)

let in_sizes f =
  List.iter
    (fun domains -> Weft.run ~domains (fun () -> f domains))
    (Testing.Effort.some ~quick:[ 3 ] [ 1; 2; 8 ])

let calls_of subject ch ~among =
  let count = Atomic.make 0 in
  attempt subject ch ~among
    (fun () -> "not stopped")
    (fun f ->
      Atomic.set at_call (fun () -> Atomic.incr count);
      f ());
  Atomic.get count

let at_calls subject (ch : _ change) domains ~among =
  let calls = calls_of subject ch ~among in
  List.iter
    (fun (how, rarity, way) ->
      let stop_at k =
        let at, run = way () in
        let count = Atomic.make 0 in
        let where () =
          Printf.sprintf "%s at call %d of %d, %s, %d domains" how k calls (name_of_among among) domains
        in
        attempt subject ch ~among where (fun f ->
            Atomic.set at_call (fun () -> if Atomic.fetch_and_add count 1 = k then at ());
            run f)
      in
      let step = step calls (if ch.large then 4 * rarity else rarity) in
      let rec from k =
        if k < calls - 1 then begin
          stop_at k;
          from (k + step)
        end
      in
      from 0;
      if calls > 0 then stop_at (calls - 1))
    ways

(* The function is stopped wherever it is when the time is up. *)
let by_time_outs subject ch domains =
  for k = 0 to Testing.Effort.count ~quick:1 ~usual:4 ~long:40 do
    let seconds = 5e-6 *. float_of_int (k * k) in
    let where () = Printf.sprintf "time-out after %g s, %d domains" seconds domains in
    let among = if k mod 2 = 0 then Others else Line in
    attempt subject ch ~among where (Cancel.with_timeout seconds)
  done

let at_ends_of_stacks (c : _ subject) (ch : _ change) domains =
  let check s returned =
    let m = c.create () in
    if returned then ch.act m 1;
    let expected = c.contents m and got = c.contents s in
    c.drop m;
    c.drop s;
    if got <> expected then
      Alcotest.failf "Weft_batch.%s.%s, %s, %d domains: expected %s; there are %s" c.name ch.name
        (Full_stack.where ()) domains (show expected) (show got)
  in
  let step = Testing.Effort.count ~quick:17 ~usual:5 ~long:1 in
  Full_stack.at_each_room ~step ~make:c.create ~check (fun s -> ch.act s 1)

let stopped (Any c) () =
  let stop domains (ch : _ change) =
    if not ch.large then begin
      List.iter (fun among -> at_calls c ch domains ~among) [ Alone; Others; Line ];
      by_time_outs c ch domains
    end
    else if domains < 8 then at_calls c ch domains ~among:Alone
  in
  Full_stack.with_limit (fun () -> in_sizes (fun domains -> List.iter (stop domains) c.changes))

let at_the_end (Any c) () =
  let small = List.filter (fun (ch : _ change) -> not ch.large) c.changes in
  Full_stack.with_limit (fun () ->
      List.iter
        (fun domains ->
          Weft.run ~domains (fun () -> List.iter (fun ch -> at_ends_of_stacks c ch domains) small))
        (Testing.Effort.some ~quick:[ 1 ] [ 1; 2 ]))

(* --- completeness --- *)

let interfaces =
  let open Interfaces in
  [
    ("Avl", split_join);
    ("Red_black", split_join);
    ("Treap", split_join);
    ("B_tree", maps ^ "\n" ^ b_tree);
    ("Skip_list", maps ^ "\n" ^ skip_list);
    ("Hash_table", hash_table);
    ("Veb", int_maps);
    ("X_fast", int_maps);
    ("Y_fast", int_maps);
    ("Priority_queue", priority_queue);
    ("Counter", counter);
    ("Datalog", datalog);
    ("Log", log);
    ("Make", batched);
    ("Expose_repair", shards);
  ]

let rec index_of line = function
  | [] -> Alcotest.failf "%s is not there" line
  | l :: rest -> if l = line then 0 else 1 + index_of line rest

(* The modules of [Weft_batch] that are structures, or make some. *)
let structures () =
  let lines = String.split_on_char '\n' Interfaces.weft_batch in
  let first = index_of "(** {1 Structures}" lines
  and last = index_of "(** {1 Your own structures} *)" lines in
  let name line =
    match String.split_on_char ' ' line with "module" :: m :: "=" :: _ -> Some m | _ -> None
  in
  List.filter_map name (List.filteri (fun i _ -> first < i && i < last) lines)

(* The modules that make some of the others. *)
let made_of = [ "Split_join"; "Int_maps" ]

(* Functions that the user supplies, not ones of the structures. *)
let supplied =
  [ "compare"; "name"; "apply"; "run_batch"; "shard_of"; "expose"; "prepare"; "run_shard"; "repair" ]

let none_is_missing () =
  let lacks prefix there covered =
    match List.filter (fun name -> not (List.mem name covered)) there with
    | [] -> ()
    | names -> Alcotest.failf "nothing stops %s" (String.concat ", " (List.map (( ^ ) prefix) names))
  in
  let first_part name = List.hd (String.split_on_char ',' name) in
  let functions (Any c) = c.reads @ List.map (fun (ch : _ change) -> first_part ch.name) c.changes in
  let is_of name (Any c) = first_part c.name = name in
  lacks "Weft_batch." (structures ()) (made_of @ List.map fst interfaces);
  List.iter
    (fun (name, interface) ->
      let covered = List.concat_map functions (List.filter (is_of name) subjects) in
      lacks (Printf.sprintf "Weft_batch.%s." name) (Testing.Growth.values interface) (supplied @ covered))
    interfaces

let tests =
  let of_subject (Any c as subject) =
    [
      case (c.name ^ ", stopped at calls and by time-outs") (stopped subject);
      case (c.name ^ ", at the end of a stack") (at_the_end subject);
    ]
  in
  List.concat_map of_subject subjects @ [ case "none is missing" none_is_missing ]
