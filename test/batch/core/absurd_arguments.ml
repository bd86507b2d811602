open Testing_public.Absurd
module Public_functions = Testing_public.Public_functions

(* Calls with meaningless arguments: either the message begins with the name of the called function, or the
   call has a defined result. All functions of the structures are covered, batched or sequential. *)

module Hashed = struct
  include Int

  let hash = Hashtbl.hash
end

module Table = Weft_batch.Hash_table.Make (Hashed)
module Queue = Weft_batch.Priority_queue.Make (Int)
module Tree = Weft_batch.B_tree.Make (Int)
module Skip = Weft_batch.Skip_list.Make (Int)
module Avl_map = Weft_batch.Avl.Make (Int)
module Treap_map = Weft_batch.Treap.Make (Int)
module Red_black_map = Weft_batch.Red_black.Make (Int)
module Sequential_avl = Weft_containers.Avl.Make (Int)
module Joined = Weft_batch.Split_join.Make (Sequential_avl.Tree)

module Int_map =
  Weft_batch.Int_maps.Make
    (Weft_containers.Veb)
    (struct
      let name = "Int_maps"
    end)

module Generic = struct
  type 'v t = Subject.t
  type ('v, 'a) op = 'a Subject.op
  type 'v packed = Op : ('v, 'a) op * 'a Weft_batch.Cell.t -> 'v packed

  let apply = Subject.apply
  let run = None
end

module Plain = Weft_batch.Make_generic (Generic)

(* A structure of one shard. *)
module Shards = Weft_batch.Expose_repair (struct
  include Generic

  type 'v parts = Subject.t

  let shard_of _ _ = -1
  let expose t ~touched:_ = t
  let prepare _ _ _ ~first:_ ~last:_ = ()
  let run_shard _ ~shard:_ _ _ ~first:_ ~last:_ = ()
  let repair _ _ = ()
end)

module Recorded = Weft_batch.Recorder.Make (Generic)

let never _ = Alcotest.fail "it was called"

(* --- making --- *)

let creations ?limit ?cutoff () =
  let open Weft_batch in
  let subject = Subject.make () in
  [
    refused "create" (fun () -> Support.B.create ?limit ?cutoff subject);
    refused "create" (fun () -> Plain.create ?limit ?cutoff subject);
    refused "Expose_repair.create" (fun () -> Shards.create ?limit ?cutoff subject);
    refused "Counter.create" (fun () -> Counter.create ?limit ?cutoff ());
    refused "Hash_table.create" (fun () -> Table.create ?limit ?cutoff ());
    refused "Priority_queue.create" (fun () -> Queue.create ?limit ?cutoff ());
    refused "B_tree.create" (fun () -> Tree.create ?limit ?cutoff ());
    refused "Skip_list.create" (fun () -> Skip.create ?limit ?cutoff ());
    refused "Avl.create" (fun () -> Avl_map.create ?limit ?cutoff ());
    refused "Treap.create" (fun () -> Treap_map.create ?limit ?cutoff ());
    refused "Red_black.create" (fun () -> Red_black_map.create ?limit ?cutoff ());
    refused "Split_join.create" (fun () -> Joined.create ?limit ?cutoff ());
    refused "Avl.of_tree" (fun () -> Avl_map.(of_tree ?limit ?cutoff (snapshot (create ()))));
    refused "Treap.of_tree" (fun () -> Treap_map.(of_tree ?limit ?cutoff (snapshot (create ()))));
    refused "Red_black.of_tree" (fun () -> Red_black_map.(of_tree ?limit ?cutoff (snapshot (create ()))));
    refused "Split_join.of_tree" (fun () -> Joined.(of_tree ?limit ?cutoff (snapshot (create ()))));
    refused "Veb.create" (fun () -> Veb.create ?limit ?cutoff ~bits:4 ());
    refused "X_fast.create" (fun () -> X_fast.create ?limit ?cutoff ~bits:4 ());
    refused "Y_fast.create" (fun () -> Y_fast.create ?limit ?cutoff ~bits:4 ());
    refused "Datalog.create" (fun () -> Datalog.create ?limit ?cutoff (Datalog.Sequential.parse ""));
    refused "Datalog.of_string" (fun () -> Datalog.of_string ?limit ?cutoff "");
  ]

let numbers n =
  creations ~limit:n ()
  @ creations ~cutoff:(`Fixed n) ()
  @ [
      refused "Log.open_" (fun () -> Weft_batch.Log.open_ ~limit:n "/nowhere");
      refused "Log.open_" (fun () -> Weft_batch.Log.open_ ~segment_size:n "/nowhere");
      refused "Recorder.record" (fun () -> Recorded.record (First n) (Subject.make ()));
      refused "Recorder.record" (fun () -> Recorded.record (Last (n, Subject.make ())) (Subject.make ()));
    ]

let negative n =
  [
    refused "exec_all" (fun () -> Support.B.exec_all (Support.B.create (Subject.make ())) n never);
    right "Split_join.Tree.warm" (fun () -> Joined.Tree.(warm (insert empty 1 1) ~change:true n never) = ());
    refused "exec_all" (fun () -> Plain.exec_all (Plain.create (Subject.make ())) n never);
    refused "Expose_repair.exec_all" (fun () -> Shards.exec_all (Shards.create (Subject.make ())) n never);
    refused "Priority_queue.pop_many" (fun () -> Queue.pop_many (Queue.create ()) n);
  ]

(* --- maps from the integers of a universe --- *)

module type INT_MAP = sig
  type 'v t

  val create : bits:int -> unit -> 'v t
  val mem : 'v t -> int -> bool
  val find_opt : 'v t -> int -> 'v option
  val add : 'v t -> int -> 'v -> unit
  val remove : 'v t -> int -> bool
  val update : 'v t -> int -> ('v option -> 'v option) -> 'v option
  val succ : 'v t -> int -> (int * 'v) option
  val pred : 'v t -> int -> (int * 'v) option
end

let bits_and_keys (module M : INT_MAP) =
  let of_key k =
    let t : unit M.t = M.create ~bits:4 () in
    [
      refused "mem" (fun () -> M.mem t k);
      refused "find_opt" (fun () -> M.find_opt t k);
      refused "add" (fun () -> M.add t k ());
      refused "remove" (fun () -> M.remove t k);
      refused "update" (fun () -> M.update t k never);
      refused "succ" (fun () -> M.succ t k);
      refused "pred" (fun () -> M.pred t k);
    ]
  in
  List.map (fun bits -> refused "create" (fun () -> M.create ~bits ())) [ 0; -1; 63; min_int; max_int ]
  @ List.concat_map of_key [ -1; 16; min_int; max_int ]

let absurd_keys = [ -1; 16; min_int; max_int ]

let batched_int_map (module M : Weft_batch.Int_maps.S) =
  let many k =
    let t : unit M.t = M.create ~bits:4 () in
    [
      refused "add_all" (fun () -> M.add_all t [| (1, ()); (k, ()) |]);
      refused "exec" (fun () -> M.exec t (Mem k));
      refused "exec_many" (fun () -> M.exec_many t [| M.Op.Mem 1; Mem k |]);
      refused "submit" (fun () -> M.submit t (Mem k));
      refused "submit_many" (fun () -> M.submit_many t [| M.Op.Mem 1; Mem k |]);
      right "add_all" (fun () -> M.add_all t [||] = ());
      right "exec_many" (fun () -> M.exec_many t ([||] : (unit, bool) M.op array) = [||]);
      right "submit_many" (fun () -> Weft.await (M.submit_many t ([||] : (unit, bool) M.op array)) = [||]);
    ]
  in
  bits_and_keys
    (module struct
      include M

      let create ~bits () = create ~bits ()
    end)
  @ List.concat_map many absurd_keys

let int_maps =
  let open Weft_batch in
  under "Veb" (batched_int_map (module Veb))
  @ under "X_fast" (batched_int_map (module X_fast))
  @ under "Y_fast" (batched_int_map (module Y_fast))
  @ under "Int_maps" (batched_int_map (module Int_map))

let sequential_int_maps =
  let open Weft_containers in
  under "Veb" (bits_and_keys (module Veb))
  @ under "X_fast" (bits_and_keys (module X_fast))
  @ under "Y_fast" (bits_and_keys (module Y_fast))

(* --- calls with nothing to do --- *)

let nothing =
  let open Weft_batch in
  let avl = Avl_map.create () and treap = Treap_map.create () and red_black = Red_black_map.create () in
  let joined = Joined.create () and tree = Tree.create () and skip = Skip.create () in
  let table = Table.create () and queue = Queue.create () and counter = Counter.create () in
  let datalog = Datalog.of_string "" and plain = Plain.create (Subject.make ()) in
  let subject = Support.B.create (Subject.make ()) and shards = Shards.create (Subject.make ()) in
  [
    right "Avl.add_all" (fun () -> Avl_map.add_all avl [||] = ());
    right "Treap.add_all" (fun () -> Treap_map.add_all treap [||] = ());
    right "Red_black.add_all" (fun () -> Red_black_map.add_all red_black [||] = ());
    right "Split_join.add_all" (fun () -> Joined.add_all joined [||] = ());
    right "B_tree.add_all" (fun () -> Tree.add_all tree [||] = ());
    right "Skip_list.add_all" (fun () -> Skip.add_all skip [||] = ());
    right "Hash_table.add_all" (fun () -> Table.add_all table [||] = ());
    right "Priority_queue.push_all" (fun () -> Queue.push_all queue [||] = ());
    right "Priority_queue.pop_many" (fun () -> Queue.pop_many queue max_int = [||]);
    right "Avl.exec_many" (fun () -> Avl_map.exec_many avl [||] = ([||] : bool array));
    right "Avl.submit_many" (fun () -> Weft.await (Avl_map.submit_many avl [||]) = ([||] : bool array));
    right "Treap.exec_many" (fun () -> Treap_map.exec_many treap [||] = ([||] : bool array));
    right "Treap.submit_many" (fun () -> Weft.await (Treap_map.submit_many treap [||]) = ([||] : bool array));
    right "Red_black.exec_many" (fun () -> Red_black_map.exec_many red_black [||] = ([||] : bool array));
    right "Red_black.submit_many" (fun () ->
        Weft.await (Red_black_map.submit_many red_black [||]) = ([||] : bool array));
    right "Split_join.exec_many" (fun () -> Joined.exec_many joined [||] = ([||] : bool array));
    right "Split_join.submit_many" (fun () ->
        Weft.await (Joined.submit_many joined [||]) = ([||] : bool array));
    right "B_tree.exec_many" (fun () -> Tree.exec_many tree [||] = ([||] : bool array));
    right "B_tree.submit_many" (fun () -> Weft.await (Tree.submit_many tree [||]) = ([||] : bool array));
    right "Skip_list.exec_many" (fun () -> Skip.exec_many skip [||] = ([||] : bool array));
    right "Skip_list.submit_many" (fun () -> Weft.await (Skip.submit_many skip [||]) = ([||] : bool array));
    right "Hash_table.exec_many" (fun () -> Table.exec_many table [||] = ([||] : bool array));
    right "Hash_table.submit_many" (fun () -> Weft.await (Table.submit_many table [||]) = ([||] : bool array));
    right "Priority_queue.exec_many" (fun () -> Queue.exec_many queue [||] = ([||] : int array));
    right "Priority_queue.submit_many" (fun () ->
        Weft.await (Queue.submit_many queue [||]) = ([||] : int array));
    right "Counter.exec_many" (fun () -> Counter.exec_many counter [||] = ([||] : int array));
    right "Counter.submit_many" (fun () -> Weft.await (Counter.submit_many counter [||]) = ([||] : int array));
    right "Datalog.exec_many" (fun () -> Datalog.exec_many datalog [||] = ([||] : bool array));
    right "Datalog.submit_many" (fun () ->
        Weft.await (Datalog.submit_many datalog [||]) = ([||] : bool array));
    right "Datalog.change" (fun () -> Datalog.change datalog [||] = [||]);
    right "Datalog.query_all" (fun () -> Datalog.query_all datalog [||] = [||]);
    right "exec_many" (fun () -> Plain.exec_many plain [||] = ([||] : int array));
    right "submit_many" (fun () -> Weft.await (Plain.submit_many plain [||]) = ([||] : int array));
    right "exec_many" (fun () -> Support.B.exec_many subject [||] = ([||] : int array));
    right "submit_many" (fun () -> Weft.await (Support.B.submit_many subject [||]) = ([||] : int array));
    right "Expose_repair.exec_many" (fun () -> Shards.exec_many shards [||] = ([||] : int array));
    right "Expose_repair.submit_many" (fun () ->
        Weft.await (Shards.submit_many shards [||]) = ([||] : int array));
  ]

(* --- logs --- *)

(* The string's content is never read. *)
let too_long = lazy (Bytes.unsafe_to_string (Bytes.create (Weft_containers.Log_format.max_length + 1)))

(* Nothing waits for the disk. *)
let system = { Weft_containers.Log_system.real with sync = ignore }

let with_log open_ append close f () =
  Testing.Folder.within "absurd" @@ fun path ->
  let log = open_ path in
  Fun.protect
    ~finally:(fun () -> close log)
    (fun () ->
      ignore (append log "a record" : int);
      f log)

let positions position =
  let with_log f = Weft_batch.Log.(with_log (open_ ~system) append close f) in
  let open Weft_batch in
  [
    refused "Log.read" (with_log (fun log -> Log.read log position));
    refused "Log.fold" (with_log (fun log -> Log.fold ~from:position never log ()));
    refused "Log.iter" (with_log (fun log -> Log.iter ~from:position never log));
    right "Log.drop_before"
      (with_log (fun log ->
           Log.drop_before log position;
           Log.length log = 1));
    refused "Log.append" (with_log (fun log -> Log.append log (Lazy.force too_long)));
    refused "Log.append_many" (with_log (fun log -> Log.append_many log [| ""; Lazy.force too_long |]));
    right "Log.append_many" (with_log (fun log -> Log.append_many log [||] = [||]));
    right "Log.exec_many" (with_log (fun log -> Log.exec_many log [||] = ([||] : unit array)));
    right "Log.submit_many"
      (with_log (fun log -> Weft.await (Log.submit_many log [||]) = ([||] : unit array)));
  ]

let sequential_positions position =
  let open Weft_containers in
  let with_log f = Log_file.(with_log (open_ ~system) append close f) in
  let with_view f = with_log (fun log -> f (Log_file.view ~synced:false log)) in
  [
    refused "Log_file.read" (with_log (fun log -> Log_file.read log position));
    refused "Log_file.fold" (with_log (fun log -> Log_file.fold ~from:position never log ()));
    refused "Log_file.iter" (with_log (fun log -> Log_file.iter ~from:position never log));
    refused "Log_cursor.make" (with_view (fun view -> Log_cursor.(chunk (make view ~from:position))));
    refused "Log_cursor.read" (with_view (fun view -> Log_cursor.read view position));
    refused "Log_cursor.fold" (with_view (fun view -> Log_cursor.fold ~from:position never view ()));
    right "Log_file.drop_before"
      (with_log (fun log ->
           Log_file.drop_before log position;
           Log_file.length log = 1));
    refused "Log_file.append" (with_log (fun log -> Log_file.append log (Lazy.force too_long)));
    refused "Log_file.append_many" (with_log (fun log -> Log_file.append_many log [| Lazy.force too_long |]));
    refused "Log_file.record" (fun () -> Log_file.record (Lazy.force too_long));
    right "Log_file.append_many" (with_log (fun log -> Log_file.append_many log [||] = [||]));
    right "Log_file.append_groups" (with_log (fun log -> Log_file.append_groups log [||] = [||]));
  ]

(* Positions before the first record, in its middle, and behind the end. *)
let no_positions = [ -1; 1; 1_000_000; min_int; max_int ]

let paths path =
  let of_path = function
    | Unix.Unix_error (_, _, told) -> String.starts_with ~prefix:path told
    | _ -> false
  in
  [ fails "Log.open_" of_path (fun () -> Weft_batch.Log.open_ path) ]

let sequential_paths path =
  let of_path = function
    | Unix.Unix_error (_, _, told) -> String.starts_with ~prefix:path told
    | _ -> false
  in
  [ fails "Log_file.open_" of_path (fun () -> Weft_containers.Log_file.open_ path) ]

let no_paths = [ ""; "/nowhere/at all"; "nul\000byte"; "/dev/null" ]

let recordings path =
  let tells = function Sys_error message -> String.starts_with ~prefix:(path ^ ": ") message | _ -> false in
  let recorded = Recorded.record Until_stopped (Subject.make ()) in
  let meaning : unit Recorded.meaning =
    { equal = (fun _ _ _ -> true); show_result = (fun _ _ -> ""); show_op = (fun _ -> "") }
  in
  [
    fails "Recorder.save" tells (fun () -> Recorded.save meaning path (Recorded.recording recorded));
    fails "Recorder.load" tells (fun () -> Recorded.load never path);
  ]

(* --- Datalog --- *)

let programs =
  let open Weft_containers.Datalog in
  let wrong = function Error _ -> true | _ -> false in
  let refused_texts = [ "\000"; "p("; "p(X)."; "p :- ." ] in
  List.concat_map
    (fun text ->
      [
        fails "Datalog.of_string" wrong (fun () -> of_string text);
        fails "Datalog.parse_query" wrong (fun () -> query (create (parse "")) (parse_query text));
      ])
    refused_texts
  @ [
      fails "Datalog.parse" wrong (fun () -> parse "\000");
      fails "Datalog.parse_query" wrong (fun () -> parse_query "");
      right "Datalog.parse" (fun () -> parse "" = { rules = []; queries = [] });
      right "Datalog.length" (fun () -> length (of_string "") "" = 0);
      right "Datalog.change" (fun () -> change (of_string "") [||] = [||]);
    ]

(* --- the tables --- *)

let sequential_numbers n =
  let module Q = Weft_containers.Priority_queue.Make (Int) in
  [
    refused "Log_file.open_" (fun () -> Weft_containers.Log_file.open_ ~segment_size:n "/nowhere");
    refused "Priority_queue.pop_many" (fun () ->
        Q.pop_many Weft_containers.Grouping.in_order (Q.create ()) (Int.min n (-1)));
  ]

let batched =
  under "Weft_batch"
    (List.concat
       [
         List.concat_map numbers [ 0; -1; min_int ];
         List.concat_map negative [ -1; min_int ];
         int_maps;
         nothing;
         List.concat_map positions no_positions;
         List.concat_map paths no_paths;
         List.concat_map recordings [ ""; "/nowhere/at all"; "/" ];
       ])

let sequential =
  under "Weft_containers"
    (List.concat
       [
         List.concat_map sequential_numbers [ 0; -1; min_int ];
         sequential_int_maps;
         List.concat_map sequential_positions no_positions;
         List.concat_map sequential_paths no_paths;
         programs;
       ])

let for_batches = "for batches, which check what they are given"
let trees = [ "Avl"; "Red_black"; "Treap"; "Split_join"; "B_tree"; "Skip_list" ]
let of_integers = [ "Veb"; "X_fast"; "Y_fast" ]
let others = [ "Expose_repair"; "Counter"; "Hash_table"; "Priority_queue"; "Datalog"; "Log" ]

let batched_exceptions =
  [
    ( for_batches,
      each_of (List.map (( ^ ) "Weft_batch.") (("Int_maps" :: trees) @ of_integers @ others)) [ "run_batch" ]
    );
    ("any integer", each_of [ "Weft_batch.Counter" ] [ "set"; "add"; "fetch_add" ]);
  ]

let sequential_exceptions =
  [
    ("any integer", each_of [ "Weft_containers.Counter" ] [ "create"; "set"; "add"; "fetch_add" ]);
    ("any integer", [ "Weft_containers.Skip_list.create" ]);
    ( "as in Weft_batch.Split_join",
      each_of
        (List.map (( ^ ) "Weft_containers.")
           [ "Avl.Tree"; "Red_black.Tree"; "Treap.Tree"; "Rooted.Tree"; "Join_based" ])
        [ "warm" ] );
    ("any name, any list", each_of [ "Weft_containers.Datalog" ] [ "rule"; "fact"; "atom"; "ask" ]);
    ( for_batches,
      each_of
        (List.map (( ^ ) "Weft_containers.") of_integers)
        [
          "shard_of";
          "expose";
          "warm";
          "open_shard";
          "mem_in";
          "find_in";
          "add_in";
          "remove_in";
          "update_in";
          "close_shard";
        ] );
    ( for_batches,
      each_of [ "Weft_containers.Hash_table" ]
        [
          "mem_hashed";
          "find_hashed";
          "add_hashed";
          "remove_hashed";
          "update_hashed";
          "segment_index";
          "segment";
          "segment_of_hash";
        ] );
    ( for_batches,
      each_of
        [ "Weft_containers.Hash_table.Segment" ]
        [ "mem"; "find_opt"; "add"; "remove"; "update"; "touch_bucket"; "touch_node" ] );
    (for_batches, each_of [ "Weft_containers.Skip_list" ] [ "head"; "draw"; "settle" ]);
    (for_batches, each_of [ "Weft_containers.Priority_queue" ] [ "push_each"; "prepare"; "pop_each" ]);
  ]

(* The modules that the structures consist of: only these libraries use them. *)
let inner_modules =
  List.map (( ^ ) "Weft_containers.")
    [
      "B_tree_node";
      "B_tree_repair";
      "Binary_tree";
      "Bit_word";
      "Bucket";
      "Bucket_stack";
      "Crc32c";
      "Entry_heap";
      "Grouping";
      "Hash_segment";
      "Int_table";
      "Joined";
      "Log_error";
      "Log_format";
      "Log_lock";
      "Log_reader";
      "Log_recovery";
      "Log_segments";
      "Log_system";
      "Log_writer";
      "Priorities";
      "Skip_finger";
      "Skip_heights";
      "Sparse_array";
      "Universe";
      "Veb_node";
      "Veb_tree";
      "X_trie";
      "Y_trie";
    ]

let sequential_ones =
  List.map
    (fun path -> "Weft_batch." ^ path ^ ".Sequential")
    [
      "Avl";
      "Red_black";
      "Treap";
      "Skip_list";
      "Veb";
      "X_fast";
      "Y_fast";
      "Int_maps";
      "Counter";
      "Hash_table";
      "Priority_queue";
      "Datalog";
    ]

(* For the structures of the library. *)
let private_ones = [ "Weft_batch.Split_join.Named" ]

let none_is_left_out () =
  check_complete
    (Public_functions.of_library ~except:(private_ones @ sequential_ones) "Weft_batch")
    batched batched_exceptions;
  check_complete
    (Public_functions.of_library ~except:inner_modules "Weft_containers")
    sequential sequential_exceptions

let everywhere rows () =
  check rows;
  Weft.run ~domains:2 (fun () -> check rows)

let tests =
  [
    Support.case "none is left out" none_is_left_out;
    Support.case "structures" (everywhere batched);
    Support.case "sequential structures" (everywhere sequential);
  ]
