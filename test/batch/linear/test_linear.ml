(* Every batched structure is compared with its sequential meaning, by qcheck-stm: the results of programs
   of two threads, or of two fibers, must be those of some sequential order that keeps each program's own.
   Now and then a third fiber holds the structure, so that the two line up, and their calls become batches. *)

(* A result, or the wait for it. *)
module Later = struct
  type 'a t = unit -> 'a

  let at_once x () = x
  let awaited show promise () = show (Weft.await promise)
end

module type SUBJECT = sig
  type t

  val create : unit -> t

  type cmd

  val show : cmd -> string
  val gen : cmd QCheck.Gen.t

  type model

  val model : model

  (* The command's answer, and the state afterwards. Results are texts, so that all commands have one type. *)
  val meaning : cmd -> model -> string * model
  val run : cmd -> t -> string

  val submit : cmd -> t -> string Later.t
  (** Some commands are no single operations, and are run at once. *)

  val hold : t -> (unit -> unit) -> unit
  val clean_up : t -> unit
end

module Spec (S : SUBJECT) = struct
  type cmd = S.cmd
  type state = S.model
  type sut = S.t

  let show_cmd = S.show
  let arb_cmd _ = QCheck.make ~print:S.show S.gen
  let init_state = S.model
  let init_sut = S.create
  let cleanup = S.clean_up
  let precond _ _ = true
  let next_state cmd state = snd (S.meaning cmd state)
  let run cmd t = STM.Res (STM.string, S.run cmd t)

  let postcond cmd state (result : STM.res) =
    match result with
    | STM.Res ((STM.String, _), text) -> String.equal text (fst (S.meaning cmd state))
    | _ -> false
end

module Check (S : SUBJECT) = struct
  module Spec = Spec (S)
  module Sequential = STM_sequential.Make (Spec)
  module Domains = STM_domain.Make (Spec)
  module Internal = STM.Internal.Make (Spec) [@alert "-internal"]

  let rand seed = Random.State.make [| seed |]

  (* The structure is held and released again and again until both are done. *)
  let rec disturb t ~going =
    if Atomic.get going > 0 then begin
      S.hold t Weft.yield;
      Weft.yield ();
      disturb t ~going
    end

  (* Each side submits some commands, and awaits them all in the end. *)
  let submitted t cmds =
    let submit cmd = (cmd, S.submit cmd t) in
    let await (cmd, later) = (cmd, STM.Res (STM.string, later ())) in
    List.map await (List.map submit cmds)

  let one_by_one t cmds =
    let run cmd =
      Weft.yield ();
      (cmd, Spec.run cmd t)
    in
    List.map run cmds

  let explained_by_fibers ~way ~domains (before, left, right) =
    let t = S.create () in
    Fun.protect ~finally:(fun () -> S.clean_up t) @@ fun () ->
    let run = List.map (fun cmd -> (cmd, Spec.run cmd t)) in
    let before = run before in
    let going = Atomic.make 2 in
    let side cmds () = Fun.protect ~finally:(fun () -> Atomic.decr going) (fun () -> way t cmds) in
    let (left, right), () =
      Weft.run ~domains (fun () ->
          Weft.par (fun () -> Weft.par (side left) (side right)) (fun () -> disturb t ~going))
    in
    Internal.check_obs before left right S.model

  let alone () =
    QCheck.Test.check_exn ~rand:(rand 1)
      (QCheck.Test.make ~count:(Testing.Effort.few 100) ~name:"alone" (Sequential.arb_cmds S.model)
         Sequential.agree_prop)

  let threads () =
    QCheck.Test.check_exn ~rand:(rand 2)
      (QCheck.Test.make ~count:(Testing.Effort.few 40) ~name:"threads" (Domains.arb_cmds_triple 10 6)
         Domains.agree_prop_par)

  let fibers way domains () =
    QCheck.Test.check_exn
      ~rand:(rand (2 + domains))
      (QCheck.Test.make ~count:(Testing.Effort.few 60) ~name:"fibers" (Internal.arb_cmds_triple 10 6)
         (fun triple -> explained_by_fibers ~way ~domains triple))

  let tests =
    [
      Testing.Watchdog.case "alone: as is meant" alone;
      Testing.Watchdog.case "two threads: in some order" threads;
      Testing.Watchdog.case "fibers on one domain: in some order" (fibers one_by_one 1);
      Testing.Watchdog.case "fibers on two domains: in some order" (fibers one_by_one 2);
      Testing.Watchdog.case "fibers that submit, on one domain: in some order" (fibers submitted 1);
      Testing.Watchdog.case "fibers that submit, on two domains: in some order" (fibers submitted 2);
    ]
end

(* --- maps --- *)

module type MAP = sig
  type 'v t

  val create : unit -> 'v t
  val length : 'v t -> int
  val mem : 'v t -> int -> bool
  val find_opt : 'v t -> int -> 'v option
  val add : 'v t -> int -> 'v -> unit
  val remove : 'v t -> int -> bool
  val update : 'v t -> int -> ('v option -> 'v option) -> 'v option
  val hold : 'v t -> (unit -> unit) -> unit

  type ('v, 'a) op

  val submit : 'v t -> ('v, 'a) op -> 'a Weft.promise
  val find_op : int -> ('v, 'v option) op
  val mem_op : int -> ('v, bool) op
  val add_op : int -> 'v -> ('v, unit) op
  val remove_op : int -> ('v, bool) op
  val update_op : int -> ('v option -> 'v option) -> ('v, 'v option) op
  val length_op : ('v, int) op
end

module Map_subject (M : MAP) = struct
  module Model = Map.Make (Int)

  type t = int M.t
  type cmd = Add of int * int | Remove of int | Find of int | Mem of int | Swap of int * int | Length
  type model = int Model.t

  let create () = M.create ()
  let hold = M.hold
  let clean_up = ignore
  let model = Model.empty

  let show = function
    | Add (k, v) -> Printf.sprintf "add %d %d" k v
    | Remove k -> Printf.sprintf "remove %d" k
    | Find k -> Printf.sprintf "find %d" k
    | Mem k -> Printf.sprintf "mem %d" k
    | Swap (k, v) -> Printf.sprintf "swap %d %d" k v
    | Length -> "length"

  (* There are few keys, so that commands meet. *)
  let gen =
    let open QCheck.Gen in
    let key = int_bound 5 and value = int_bound 99 in
    frequency
      [
        (4, map2 (fun k v -> Add (k, v)) key value);
        (3, map (fun k -> Remove k) key);
        (3, map (fun k -> Find k) key);
        (1, map (fun k -> Mem k) key);
        (3, map2 (fun k v -> Swap (k, v)) key value);
        (2, return Length);
      ]

  let value = function None -> "none" | Some v -> string_of_int v

  let meaning cmd m =
    match cmd with
    | Add (k, v) -> ("", Model.add k v m)
    | Remove k -> (string_of_bool (Model.mem k m), Model.remove k m)
    | Find k -> (value (Model.find_opt k m), m)
    | Mem k -> (string_of_bool (Model.mem k m), m)
    | Swap (k, v) -> (value (Model.find_opt k m), Model.add k v m)
    | Length -> (string_of_int (Model.cardinal m), m)

  let run cmd t =
    match cmd with
    | Add (k, v) ->
        M.add t k v;
        ""
    | Remove k -> string_of_bool (M.remove t k)
    | Find k -> value (M.find_opt t k)
    | Mem k -> string_of_bool (M.mem t k)
    | Swap (k, v) -> value (M.update t k (fun _ -> Some v))
    | Length -> string_of_int (M.length t)

  let submit cmd t =
    match cmd with
    | Add (k, v) -> Later.awaited (fun () -> "") (M.submit t (M.add_op k v))
    | Remove k -> Later.awaited string_of_bool (M.submit t (M.remove_op k))
    | Find k -> Later.awaited value (M.submit t (M.find_op k))
    | Mem k -> Later.awaited string_of_bool (M.submit t (M.mem_op k))
    | Swap (k, v) -> Later.awaited value (M.submit t (M.update_op k (fun _ -> Some v)))
    | Length -> Later.awaited string_of_int (M.submit t M.length_op)
end

(* Operations are applied one by one, and in batches of the structure's own as soon as two have met. *)
let whole = `Fixed 2

let map name (module M : MAP) =
  let module C = Check (Map_subject (M)) in
  (name, C.tests)

module Key = struct
  include Int

  let hash = Hashtbl.hash
end

open Weft_batch

module Ops (Op : sig
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
end) =
struct
  type ('v, 'a) op = ('v, 'a) Op.t

  let mem_op k = Op.Mem k
  let find_op k = Op.Find k
  let add_op k v = Op.Add (k, v)
  let remove_op k = Op.Remove k
  let update_op k f = Op.Update (k, f)
  let length_op = Op.Length
end

let held exclusive t f = exclusive t (fun _ -> f ())

let maps =
  [
    map "avl"
      (module struct
        include Avl.Make (Key)
        include Ops (Op)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "red-black"
      (module struct
        include Red_black.Make (Key)
        include Ops (Op)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "treap"
      (module struct
        include Treap.Make (Key)
        include Ops (Op)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "b-tree"
      (module struct
        include B_tree.Make (Key)
        include Ops (Op)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "skip list"
      (module struct
        include Skip_list.Make (Key)
        include Ops (Op)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "hash table"
      (module struct
        include Hash_table.Make (Key)

        let hashed k = (Sequential.hash k, k)

        let mem_op k =
          let h, k = hashed k in
          Mem (h, k)

        let find_op k =
          let h, k = hashed k in
          Find (h, k)

        let add_op k v =
          let h, k = hashed k in
          Add (h, k, v)

        let remove_op k =
          let h, k = hashed k in
          Remove (h, k)

        let update_op k f =
          let h, k = hashed k in
          Update (h, k, f)

        let length_op = Length
        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "van emde boas"
      (module struct
        include Veb
        include Ops (Op)

        let create () = create ~cutoff:whole ~bits:4 ()
        let hold t = held exclusive t
      end);
    map "x-fast trie"
      (module struct
        include X_fast
        include Ops (Op)

        let create () = create ~cutoff:whole ~bits:4 ()
        let hold t = held exclusive t
      end);
    map "y-fast trie"
      (module struct
        include Y_fast
        include Ops (Op)

        let create () = create ~cutoff:whole ~bits:4 ()
        let hold t = held exclusive t
      end);
  ]

(* --- others --- *)

module Counter_subject = struct
  type t = Counter.t
  type cmd = Get | Set of int | Add of int | Fetch_add of int
  type model = int

  let create () = Counter.create ~cutoff:whole ()
  let hold t = held Counter.exclusive t
  let clean_up = ignore
  let model = 0

  let show = function
    | Get -> "get"
    | Set n -> Printf.sprintf "set %d" n
    | Add n -> Printf.sprintf "add %d" n
    | Fetch_add n -> Printf.sprintf "fetch_add %d" n

  let gen =
    let open QCheck.Gen in
    let n = int_bound 9 in
    oneof [ return Get; map (fun n -> Set n) n; map (fun n -> Add n) n; map (fun n -> Fetch_add n) n ]

  let meaning cmd value =
    match cmd with
    | Get -> (string_of_int value, value)
    | Set n -> ("", n)
    | Add n -> ("", value + n)
    | Fetch_add n -> (string_of_int value, value + n)

  let run cmd t =
    match cmd with
    | Get -> string_of_int (Counter.get t)
    | Set n ->
        Counter.set t n;
        ""
    | Add n ->
        Counter.add t n;
        ""
    | Fetch_add n -> string_of_int (Counter.fetch_add t n)

  let submit cmd t =
    match cmd with
    | Get -> Later.awaited string_of_int (Counter.submit t Get)
    | Set n -> Later.awaited (fun () -> "") (Counter.submit t (Set n))
    | Add n -> Later.awaited (fun () -> "") (Counter.submit t (Add n))
    | Fetch_add n -> Later.awaited string_of_int (Counter.submit t (Fetch_add n))
end

module Queue_subject = struct
  module Queue = Priority_queue.Make (Int)

  type t = unit Queue.t
  type cmd = Push of int | Pop | Pop_many of int | Min | Length
  type model = int list (* sorted *)

  let create () = Queue.create ~cutoff:whole ()
  let hold t = held Queue.exclusive t
  let clean_up = ignore
  let model = []

  let show = function
    | Push p -> Printf.sprintf "push %d" p
    | Pop -> "pop"
    | Pop_many n -> Printf.sprintf "pop %d" n
    | Min -> "min"
    | Length -> "length"

  let gen =
    let open QCheck.Gen in
    frequency
      [
        (4, map (fun p -> Push p) (int_bound 9));
        (3, return Pop);
        (1, map (fun n -> Pop_many n) (int_bound 3));
        (1, return Min);
        (1, return Length);
      ]

  let first = function [] -> "none" | p :: _ -> string_of_int p

  let meaning cmd q =
    match cmd with
    | Push p -> ("", List.merge Int.compare [ p ] q)
    | Pop -> (first q, match q with [] -> [] | _ :: rest -> rest)
    | Pop_many n ->
        let taken = List.filteri (fun i _ -> i < n) q in
        (String.concat " " (List.map string_of_int taken), List.filteri (fun i _ -> i >= n) q)
    | Min -> (first q, q)
    | Length -> (string_of_int (List.length q), q)

  let least = function None -> "none" | Some (p, ()) -> string_of_int p

  let run cmd t =
    match cmd with
    | Push p ->
        Queue.push t p ();
        ""
    | Pop -> least (Queue.pop_min t)
    | Pop_many n ->
        String.concat " " (List.map (fun (p, ()) -> string_of_int p) (Array.to_list (Queue.pop_many t n)))
    | Min -> least (Queue.min_opt t)
    | Length -> string_of_int (Queue.length t)

  let all popped = String.concat " " (List.map (fun (p, ()) -> string_of_int p) (Array.to_list popped))

  let submit cmd t =
    match cmd with
    | Push p -> Later.awaited (fun () -> "") (Queue.submit t (Push (p, ())))
    | Pop -> Later.awaited least (Queue.submit t Pop)
    | Pop_many n -> Later.awaited all (Queue.submit t (Pop_many n))
    | Min -> Later.awaited least (Queue.submit t Min)
    | Length -> Later.awaited string_of_int (Queue.submit t Length)
end

(* Positions show the order of appends. *)
module Log_subject = struct
  type t = { log : Log.t; directory : string }
  type cmd = Append of string | Append_many of string list | Sync | Contents | Last
  type model = { records : (int * string) list; (* the last first *) next : int }

  (* Only a power failure would show that no sync is waited for. *)
  let system = { Weft_containers.Log_system.real with sync = ignore }

  let create () =
    let directory = Filename.temp_dir "linear" "" in
    { log = Log.open_ ~system (Filename.concat directory "log"); directory }

  let clean_up t =
    Log.close t.log;
    Testing.Folder.remove t.directory

  (* It works inside [Weft.blocking]: other calls arrive meanwhile. *)
  let hold t f =
    Log.sync t.log;
    f ()

  let model = { records = []; next = 0 }
  let words = String.concat ","

  let show = function
    | Append s -> "append " ^ s
    | Append_many group -> "append " ^ words group
    | Sync -> "sync"
    | Contents -> "contents"
    | Last -> "last"

  let gen =
    let open QCheck.Gen in
    let payload = string_size ~gen:(char_range 'a' 'z') (int_bound 3) in
    frequency
      [
        (4, map (fun s -> Append s) payload);
        (2, map (fun group -> Append_many group) (list_size (int_bound 3) payload));
        (1, return Sync);
        (3, return Contents);
        (1, return Last);
      ]

  let positions = function [] -> "none" | all -> words (List.map string_of_int all)
  let record (position, s) = Printf.sprintf "%d:%s" position s

  let append m s =
    let next = m.next + Weft_containers.Log_format.record_header + String.length s in
    { records = (m.next, s) :: m.records; next }

  let append_all m group =
    let positions, m = List.fold_left (fun (all, m) s -> (m.next :: all, append m s)) ([], m) group in
    (positions, m)

  let meaning cmd m =
    match cmd with
    | Append s -> (string_of_int m.next, append m s)
    | Append_many group ->
        let taken, m = append_all m group in
        (positions (List.rev taken), m)
    | Sync -> ("", m)
    | Contents -> (words (List.rev_map record m.records), m)
    | Last -> ((match m.records with [] -> "none" | last :: _ -> record last), m)

  let run cmd { log; _ } =
    match cmd with
    | Append s -> string_of_int (Log.append log s)
    | Append_many group -> positions (Array.to_list (Log.append_many log (Array.of_list group)))
    | Sync ->
        Log.sync log;
        ""
    | Contents -> words (List.rev (Log.fold (fun position s all -> record (position, s) :: all) log []))
    | Last -> Log.fold (fun position s _ -> record (position, s)) log "none"

  let submit cmd ({ log; _ } as t) =
    let of_string = Weft_containers.Log_file.record in
    match cmd with
    | Append s -> Later.awaited string_of_int (Log.submit log (Append (of_string s)))
    | Append_many group ->
        let records = Array.map of_string (Array.of_list group) in
        Later.awaited (fun all -> positions (Array.to_list all)) (Log.submit log (Append_many records))
    | Sync -> Later.awaited (fun () -> "") (Log.submit log Sync)
    | Contents | Last -> Later.at_once (run cmd t)
end

(* Edges, and the paths that they imply. *)
module Datalog_subject = struct
  open Weft_containers.Datalog

  module Edges = Set.Make (struct
    type t = int * int

    let compare = compare
  end)

  type t = Datalog.t

  type cmd =
    | Assert of int * int
    | Retract of int * int
    | Holds of int * int
    | From of int
    | Count
    | Replace of (int * int) * (int * int)  (** one is retracted and the other asserted, in one batch *)

  type model = Edges.t

  let rules = "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z)."
  let create () = Datalog.of_string ~cutoff:whole rules
  let clean_up = ignore
  let hold t = held Datalog.exclusive t
  let model = Edges.empty

  let show = function
    | Assert (a, b) -> Printf.sprintf "assert %d %d" a b
    | Retract (a, b) -> Printf.sprintf "retract %d %d" a b
    | Holds (a, b) -> Printf.sprintf "holds %d %d" a b
    | From a -> Printf.sprintf "from %d" a
    | Count -> "count"
    | Replace ((a, b), (c, d)) -> Printf.sprintf "replace %d %d by %d %d" a b c d

  let gen =
    let open QCheck.Gen in
    let node = int_bound 3 in
    let edge = pair node node in
    frequency
      [
        (4, map (fun (a, b) -> Assert (a, b)) edge);
        (3, map (fun (a, b) -> Retract (a, b)) edge);
        (3, map (fun (a, b) -> Holds (a, b)) edge);
        (2, map (fun a -> From a) node);
        (1, return Count);
        (1, map2 (fun old now -> Replace (old, now)) edge edge);
      ]

  let rec paths edges =
    let longer =
      Edges.fold
        (fun (a, b) all ->
          Edges.fold (fun (c, d) all -> if b = c then Edges.add (a, d) all else all) edges all)
        edges edges
    in
    if Edges.equal longer edges then edges else paths longer

  let nodes all = String.concat " " (List.map string_of_int (List.sort_uniq compare all))

  let meaning cmd edges =
    match cmd with
    | Assert (a, b) -> (string_of_bool (not (Edges.mem (a, b) edges)), Edges.add (a, b) edges)
    | Retract (a, b) -> (string_of_bool (Edges.mem (a, b) edges), Edges.remove (a, b) edges)
    | Holds (a, b) -> (string_of_bool (Edges.mem (a, b) (paths edges)), edges)
    | From a ->
        let reached = Edges.elements (Edges.filter (fun (b, _) -> a = b) (paths edges)) in
        (nodes (List.map snd reached), edges)
    | Count -> (string_of_int (Edges.cardinal (paths edges)), edges)
    | Replace (old, now) ->
        let left = Edges.remove old edges in
        (Printf.sprintf "%b %b" (Edges.mem old edges) (not (Edges.mem now left)), Edges.add now left)

  let edge (a, b) = fact "edge" [ Int a; Int b ]
  let path terms = ask [ Holds (atom "path" terms) ]
  let node n = Value (Int n)

  let reached (answers : answers) =
    nodes (List.map (function [| Int n |] -> n | _ -> -1) (Array.to_list (rows answers)))

  let run cmd t =
    match cmd with
    | Assert (a, b) -> string_of_bool (Datalog.assert_fact t (edge (a, b)))
    | Retract (a, b) -> string_of_bool (Datalog.retract t (edge (a, b)))
    | Holds (a, b) -> string_of_bool (Datalog.holds t (path [ node a; node b ]))
    | From a -> reached (Datalog.query t (path [ node a; Variable "X" ]))
    | Count -> string_of_int (Datalog.count t (path [ Variable "X"; Variable "Y" ]))
    | Replace (old, now) -> (
        match Datalog.change t [| Retract (edge old); Assert (edge now) |] with
        | [| was; is_new |] -> Printf.sprintf "%b %b" was is_new
        | _ -> "not two results")

  let submit cmd t =
    match cmd with
    | Assert (a, b) -> Later.awaited string_of_bool (Datalog.submit t (Change (Assert (edge (a, b)))))
    | Retract (a, b) -> Later.awaited string_of_bool (Datalog.submit t (Change (Retract (edge (a, b)))))
    | Holds (a, b) -> Later.awaited string_of_bool (Datalog.submit t (Holds (path [ node a; node b ])))
    | From a -> Later.awaited reached (Datalog.submit t (Query (path [ node a; Variable "X" ])))
    | Count -> Later.awaited string_of_int (Datalog.submit t (Count (path [ Variable "X"; Variable "Y" ])))
    | Replace _ -> Later.at_once (run cmd t)
end

let others =
  let module C = Check (Counter_subject) in
  let module Q = Check (Queue_subject) in
  let module L = Check (Log_subject) in
  let module D = Check (Datalog_subject) in
  [ ("counter", C.tests); ("priority queue", Q.tests); ("log", L.tests); ("datalog", D.tests) ]

let () = Alcotest.run "linear" (maps @ others)
