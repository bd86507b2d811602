(* Every batched structure against its sequential meaning, by qcheck-stm: programs of two threads, or of two fibers, must have results
   that one after the other could have had, in some order that keeps each one's own. Fibers meet a third one that holds the structure
   every now and then, so that they line up, and what they call becomes batches. *)

module type SUBJECT = sig
  type t

  val create : unit -> t

  type cmd

  val show : cmd -> string
  val gen : cmd QCheck.Gen.t

  type model

  val model : model

  (* What the command answers, and what is left. Results are texts, so that all commands have one type. *)
  val meaning : cmd -> model -> string * model
  val run : cmd -> t -> string
  val hold : t -> (unit -> unit) -> unit
end

module Spec (S : SUBJECT) = struct
  type cmd = S.cmd
  type state = S.model
  type sut = S.t

  let show_cmd = S.show
  let arb_cmd _ = QCheck.make ~print:S.show S.gen
  let init_state = S.model
  let init_sut = S.create
  let cleanup _ = ()
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

  (* The structure is taken and let go until both are done. *)
  let rec disturb t ~going =
    if Atomic.get going > 0 then begin
      S.hold t Weft.yield;
      Weft.yield ();
      disturb t ~going
    end

  let explained_by_fibers ~domains (before, left, right) =
    let t = S.create () in
    let run = List.map (fun cmd -> (cmd, Spec.run cmd t)) in
    let before = run before in
    let going = Atomic.make 2 in
    let side cmds () =
      Fun.protect
        ~finally:(fun () -> Atomic.decr going)
        (fun () ->
          List.map
            (fun cmd ->
              Weft.yield ();
              (cmd, Spec.run cmd t))
            cmds)
    in
    let (left, right), () =
      Weft.run ~domains (fun () ->
          Weft.par (fun () -> Weft.par (side left) (side right)) (fun () -> disturb t ~going))
    in
    Internal.check_obs before left right S.model

  let alone () =
    QCheck.Test.check_exn ~rand:(rand 1)
      (QCheck.Test.make ~count:100 ~name:"alone" (Sequential.arb_cmds S.model) Sequential.agree_prop)

  let threads () =
    QCheck.Test.check_exn ~rand:(rand 2)
      (QCheck.Test.make ~count:40 ~name:"threads" (Domains.arb_cmds_triple 10 6) Domains.agree_prop_par)

  let fibers domains () =
    QCheck.Test.check_exn
      ~rand:(rand (2 + domains))
      (QCheck.Test.make ~count:60 ~name:"fibers" (Internal.arb_cmds_triple 10 6) (fun triple ->
           explained_by_fibers ~domains triple))

  let tests =
    [
      Alcotest.test_case "alone: as is meant" `Quick alone;
      Alcotest.test_case "two threads: in some order" `Quick threads;
      Alcotest.test_case "fibers on one domain: in some order" `Quick (fibers 1);
      Alcotest.test_case "fibers on two domains: in some order" `Quick (fibers 2);
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
end

module Map_subject (M : MAP) = struct
  module Model = Map.Make (Int)

  type t = int M.t
  type cmd = Add of int * int | Remove of int | Find of int | Mem of int | Swap of int * int | Length
  type model = int Model.t

  let create () = M.create ()
  let hold = M.hold
  let model = Model.empty

  let show = function
    | Add (k, v) -> Printf.sprintf "add %d %d" k v
    | Remove k -> Printf.sprintf "remove %d" k
    | Find k -> Printf.sprintf "find %d" k
    | Mem k -> Printf.sprintf "mem %d" k
    | Swap (k, v) -> Printf.sprintf "swap %d %d" k v
    | Length -> "length"

  (* Few keys, so that commands meet. *)
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
end

(* Applied one by one, and in batches of the structure's own as soon as two have met. *)
let whole = `Fixed 2

let map name (module M : MAP) =
  let module C = Check (Map_subject (M)) in
  (name, C.tests)

module Key = struct
  include Int

  let hash = Hashtbl.hash
end

open Weft_batch

let held exclusive t f = exclusive t (fun _ -> f ())

let maps =
  [
    map "avl"
      (module struct
        include Avl.Make (Key)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "red-black"
      (module struct
        include Red_black.Make (Key)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "treap"
      (module struct
        include Treap.Make (Key)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "b-tree"
      (module struct
        include B_tree.Make (Key)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "skip list"
      (module struct
        include Skip_list.Make (Key)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "hash table"
      (module struct
        include Hash_table.Make (Key)

        let create () = create ~cutoff:whole ()
        let hold t = held exclusive t
      end);
    map "van emde boas"
      (module struct
        include Veb

        let create () = create ~cutoff:whole ~bits:4 ()
        let hold t = held exclusive t
      end);
    map "x-fast trie"
      (module struct
        include X_fast

        let create () = create ~cutoff:whole ~bits:4 ()
        let hold t = held exclusive t
      end);
    map "y-fast trie"
      (module struct
        include Y_fast

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
end

module Queue_subject = struct
  module Queue = Priority_queue.Make (Int)

  type t = unit Queue.t
  type cmd = Push of int | Pop | Pop_many of int | Min | Length
  type model = int list (* sorted *)

  let create () = Queue.create ~cutoff:whole ()
  let hold t = held Queue.exclusive t
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
end

let others =
  let module C = Check (Counter_subject) in
  let module Q = Check (Queue_subject) in
  [ ("counter", C.tests); ("priority queue", Q.tests) ]

let () = Alcotest.run "linear" (maps @ others)
