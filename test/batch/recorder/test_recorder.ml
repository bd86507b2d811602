module Alcotest = Testing.Checks.Alcotest
module Recorded = Weft_batch.Recorder.Make (Table)
module Batched = Weft_batch.Make_generic (Recorded)

(* {1 What is needed} *)

let equal (type a) (op : (int, a) Table.op) (x : a) (y : a) =
  match op with
  | Find _ -> Option.equal Int.equal x y
  | Add _ -> true
  | Remove _ -> Bool.equal x y
  | Get _ -> Int.equal x y
  | Length -> Int.equal x y

let show_result (type a) (op : (int, a) Table.op) (x : a) =
  match op with
  | Find _ -> ( match x with None -> "None" | Some v -> Printf.sprintf "Some %d" v)
  | Add _ -> "()"
  | Remove _ -> string_of_bool x
  | Get _ -> string_of_int x
  | Length -> string_of_int x

let show_op (type a) (op : (int, a) Table.op) =
  match op with
  | Find k -> Printf.sprintf "Find %d" k
  | Add (k, v) -> Printf.sprintf "Add %d %d" k v
  | Remove k -> Printf.sprintf "Remove %d" k
  | Get k -> Printf.sprintf "Get %d" k
  | Length -> "Length"

let of_string text : int Recorded.any =
  match String.split_on_char ' ' text with
  | [ "Find"; k ] -> Any (Find (int_of_string k))
  | [ "Add"; k; v ] -> Any (Add (int_of_string k, int_of_string v))
  | [ "Remove"; k ] -> Any (Remove (int_of_string k))
  | [ "Get"; k ] -> Any (Get (int_of_string k))
  | [ "Length" ] -> Any Length
  | _ -> failwith (Printf.sprintf "no operation '%s'" text)

let meaning : int Recorded.meaning = { equal; show_result; show_op }

(* Lengths are answered after the others. *)
let rank : int Recorded.rank =
  { rank = (fun (type a) (op : (int, a) Table.op) -> match op with Length -> 1 | _ -> 0) }

(* The result of a replay on a table without a fault. *)
let replay ?(on = Table.create Right) recording =
  Option.map Weft_batch.Recorder.explain (Recorded.replay meaning on recording)

let check_replay what expected ?on recording =
  Alcotest.(check (option string)) what expected (replay ?on recording)

let packed (Recorded.Any op) = Recorded.Op (op, Weft_batch.Cell.make ())

(* [run t ops] is one batch; returns whether it raised. *)
let run t ops =
  match (Option.get Recorded.run) t (Array.of_list (List.map packed ops)) with
  | () -> false
  | exception Failure _ -> true

let recorded ?(extent = Recorded.Until_stopped) fault batches =
  let t = Recorded.record ~rank extent (Table.create fault) in
  List.iter (fun ops -> ignore (run t ops : bool)) batches;
  t

let find k : int Recorded.any = Any (Find k)
let add k v : int Recorded.any = Any (Add (k, v))
let remove k : int Recorded.any = Any (Remove k)
let get k : int Recorded.any = Any (Get k)
let length : int Recorded.any = Any Length

let differs what expected fault batches =
  check_replay what (Some expected) (Recorded.recording (recorded fault batches))

(* {1 Faults} *)

let batches =
  [ [ add 1 10; add 2 20 ]; [ find 1; length; remove 2; get 2; length; add 7 70 ]; [ get 7; length ] ]

let a_right_structure_replays_without_a_difference () =
  let t = recorded Right batches in
  let recording = Recorded.recording t in
  Alcotest.(check int) "batches" 3 (Recorded.batches recording);
  Alcotest.(check int) "operations" 10 (Recorded.operations recording);
  let on = Table.create Table.Right in
  check_replay "right" None ~on recording;
  Alcotest.(check (list (pair int int))) "contents" [ (1, 10); (7, 70) ] (Table.contents on)

let a_fault_is_named () =
  differs "another order" "batch 2, operation 1: Remove 4: expected true, got false" Removals_first
    [ [ add 3 0 ]; [ add 4 0; remove 4; find 4 ] ];
  differs "an addition forgotten" "batch 2, operation 2: Find 4: expected Some 40, got None" (Forgets 4)
    [ [ add 1 0; add 4 40 ]; [ find 1; find 2; find 4; find 4 ] ];
  differs "in the same batch" "batch 1, operation 1: Get 4: expected 40, got the exception Not_found"
    (Forgets 4)
    [ [ add 4 40; get 4 ] ];
  differs "no result" "batch 1, operation 1: Find 4: expected None, got no result" (Silent 4)
    [ [ find 3; find 4 ] ];
  differs "a result instead of an exception"
    "batch 2, operation 1: Get 4: expected the exception Not_found, got 40" (Keeps 4)
    [ [ add 4 40; remove 4 ]; [ find 1; get 4 ] ];
  differs "another exception"
    "batch 1, operation 0: Get 4: expected the exception Not_found, got the exception Stdlib.Exit" (Fails 4)
    [ [ get 4 ] ];
  differs "too many" "batch 3, operation 0: Length: expected 2, got 1" (Forgets 4)
    [ [ add 1 0 ]; [ add 4 40 ]; [ length; find 1 ] ]

let ranks_come_before_arrival () =
  (* Without ranks, the replay would find the length 0. *)
  let batch = [ [ length; add 1 10 ] ] in
  check_replay "with ranks" None (Recorded.recording (recorded Right batch));
  let t = Recorded.record Until_stopped (Table.create Right) in
  List.iter (fun ops -> ignore (run t ops : bool)) batch;
  check_replay "without" (Some "batch 1, operation 0: Length: expected 0, got 1") (Recorded.recording t);
  (* The index is that of arrival. *)
  differs "index" "batch 1, operation 0: Length: expected 1, got 0" (Forgets 1) batch

let what_a_failed_batch_left_is_not_replayed () =
  let t = recorded (Raises 4) [ [ add 1 10; find 4; add 2 20 ]; [ find 1; find 2; length ] ] in
  check_replay "skipped" None (Recorded.recording t);
  Alcotest.(check int) "recorded" 6 (Recorded.operations (Recorded.recording t));
  Alcotest.(check bool) "raised on" true (run t [ add 1 10; find 4 ])

(* {1 Single operations} *)

let single_operations_are_batches_of_one () =
  let t = Recorded.record Until_stopped (Table.create Right) in
  Recorded.apply t (Add (3, 30));
  Alcotest.(check (option int)) "result" (Some 30) (Recorded.apply t (Find 3));
  Alcotest.check_raises "raised on" Not_found (fun () -> ignore (Recorded.apply t (Get 4) : int));
  let recording = Recorded.recording t in
  Alcotest.(check int) "batches" 3 (Recorded.batches recording);
  check_replay "right" None recording;
  let on = Table.create Table.Right in
  Table.apply on (Add (4, 40));
  check_replay "not as it was" (Some "batch 3, operation 0: Get 4: expected 40, got the exception Not_found")
    ~on recording

(* {1 How much is kept} *)

let adds_from_1_to n = List.init n (fun i -> [ add (i + 1) (10 * (i + 1)) ])

let the_first_are_kept () =
  let t = recorded ~extent:(First 3) Right (adds_from_1_to 5) in
  let recording = Recorded.recording t in
  Alcotest.(check int) "batches" 3 (Recorded.batches recording);
  let on = Table.create Table.Right in
  check_replay "right" None ~on recording;
  Alcotest.(check (list (pair int int))) "contents" [ (1, 10); (2, 20); (3, 30) ] (Table.contents on)

let the_last_are_kept_and_replayed_on_what_was_before () =
  let base = Table.create Table.Right in
  let t =
    recorded
      ~extent:(Last (2, base))
      (Forgets 4)
      (([ get 9 ] :: adds_from_1_to 3) @ [ [ add 4 40; find 3 ]; [ find 1; find 4; length ] ])
  in
  Alcotest.(check (list (pair int int))) "before" [ (1, 10); (2, 20); (3, 30) ] (Table.contents base);
  let recording = Recorded.recording t in
  Alcotest.(check int) "batches" 2 (Recorded.batches recording);
  check_replay "replayed" (Some "batch 6, operation 1: Find 4: expected Some 40, got None") ~on:base recording

let what_a_failed_batch_left_does_not_fall_out () =
  let base = Table.create Table.Right in
  let t =
    recorded ~extent:(Last (1, base)) (Raises 4) [ [ add 1 10; find 4; add 2 20 ]; [ find 1; find 2 ] ]
  in
  Alcotest.(check (list (pair int int))) "before" [ (1, 10) ] (Table.contents base);
  check_replay "replayed" None ~on:base (Recorded.recording t)

let nothing_is_kept_when_stopped () =
  let t = recorded Right [ [ add 1 10 ]; [] ] in
  Recorded.stop t;
  ignore (run t [ add 2 20 ] : bool);
  Alcotest.(check (option int)) "goes on" (Some 20) (Recorded.apply t (Find 2));
  Alcotest.(check int) "batches" 1 (Recorded.batches (Recorded.recording t))

let a_number_less_than_one_is_refused () =
  let refused extent =
    Alcotest.check_raises "refused"
      (Invalid_argument "Weft_batch.Recorder.record: 0 batches; it takes one or more to keep") (fun () ->
        ignore (Recorded.record extent (Table.create Right) : int Recorded.t))
  in
  refused (First 0);
  refused (Last (0, Table.create Right))

(* {1 Files} *)

let with_file f =
  let path = Filename.temp_file "recording" ".txt" in
  Fun.protect ~finally:(fun () -> Sys.remove path) (fun () -> f path)

let a_file_holds_what_was_recorded () =
  with_file @@ fun path ->
  Recorded.save meaning path (Recorded.recording (recorded (Raises 9) ([ get 5; find 9 ] :: batches)));
  let text = In_channel.with_open_bin path In_channel.input_all in
  Alcotest.(check (list string))
    "lines"
    [
      "weft-batch recording 1";
      "batch 1";
      "0\tGet 5\traised\tNot_found";
      "1\tFind 9\tleft\tFailure(\\\"the key 9\\\")";
      "batch 2";
      "0\tAdd 1 10\treturned\t()";
      "1\tAdd 2 20\treturned\t()";
      "batch 3";
      "0\tFind 1\treturned\tSome 10";
      "2\tRemove 2\treturned\ttrue";
      "3\tGet 2\traised\tNot_found";
      "5\tAdd 7 70\treturned\t()";
      "1\tLength\treturned\t2";
      "4\tLength\treturned\t2";
      "batch 4";
      "0\tGet 7\treturned\t70";
      "1\tLength\treturned\t2";
      "end";
      "";
    ]
    (String.split_on_char '\n' text);
  match Recorded.load of_string path with
  | Error message -> Alcotest.fail message
  | Ok loaded ->
      Alcotest.(check int) "operations" 12 (Recorded.operations loaded);
      check_replay "replayed" None loaded;
      with_file @@ fun again ->
      Recorded.save meaning again loaded;
      Alcotest.(check string) "saved again" text (In_channel.with_open_bin again In_channel.input_all)

let a_difference_is_found_in_a_file () =
  with_file @@ fun path ->
  let found fault batches =
    let recording = Recorded.recording (recorded fault batches) in
    Recorded.save meaning path recording;
    let loaded = Result.get_ok (Recorded.load of_string path) in
    Alcotest.(check (option string)) "the same" (replay recording) (replay loaded);
    Option.is_some (replay loaded)
  in
  Alcotest.(check bool) "forgets" true (found (Forgets 4) [ [ add 4 40 ]; [ find 4 ] ]);
  Alcotest.(check bool) "silent" true (found (Silent 4) [ [ add 4 40 ]; [ find 4 ] ]);
  Alcotest.(check bool) "raises" true (found (Forgets 4) [ [ add 4 40; get 4 ] ]);
  Alcotest.(check bool) "right" false (found Right batches);
  Alcotest.(check bool) "empty" false (found Right [])

let what_is_printed_may_have_any_characters () =
  let odd = "a\ttab, a\nline, a \\ and \xff" in
  let meaning : int Recorded.meaning =
    { equal; show_op = (fun op -> odd ^ show_op op); show_result = (fun op x -> odd ^ show_result op x) }
  in
  let of_string text =
    let length = String.length odd in
    of_string (String.sub text length (String.length text - length))
  in
  with_file @@ fun path ->
  Recorded.save meaning path (Recorded.recording (recorded Right batches));
  let loaded = Result.get_ok (Recorded.load of_string path) in
  Alcotest.(check bool) "right" true (Recorded.replay meaning (Table.create Right) loaded = None)

let a_printer_that_raises_leaves_the_file () =
  with_file @@ fun path ->
  let recording = Recorded.recording (recorded Right batches) and failure = Sys_error "the printer's own" in
  Recorded.save meaning path recording;
  let text () = In_channel.with_open_bin path In_channel.input_all in
  let before = text () and left = Atomic.make 5 in
  let show_op op = if Atomic.fetch_and_add left (-1) = 0 then raise failure else show_op op in
  Alcotest.check_raises "the printer's exception" failure (fun () ->
      Recorded.save { meaning with show_op } path recording);
  Alcotest.(check string) "the file" before (text ())

let a_bad_file_is_refused_with_its_line () =
  with_file @@ fun path ->
  let refused what expected lines =
    Out_channel.with_open_bin path (fun out -> List.iter (Printf.fprintf out "%s\n") lines);
    match Recorded.load of_string path with
    | Ok _ -> Alcotest.failf "%s: not refused" what
    | Error message -> Alcotest.(check string) what (path ^ ", " ^ expected) message
  in
  let title = "weft-batch recording 1" in
  refused "another file" "line 1: not 'weft-batch recording 1'" [ "hello" ];
  refused "empty" "line 1: the file is cut short" [];
  refused "cut" "line 4: the file is cut short" [ title; "batch 1"; "0\tFind 1\treturned\tNone" ];
  refused "no batch" "line 2: not a batch" [ title; "0\tFind 1\treturned\tNone"; "end" ];
  refused "no operation" "line 3: not an operation" [ title; "batch 1"; "hello"; "end" ];
  refused "not understood" "line 4: no operation 'Lookup 1'"
    [ title; "batch 1"; "0\tFind 1\treturned\tNone"; "1\tLookup 1\treturned\tNone"; "end" ];
  refused "another outcome" "line 3: an outcome 'got'" [ title; "batch 1"; "0\tFind 1\tgot\tNone"; "end" ]

(* {1 In use} *)

let op_of random : int Recorded.any =
  let k = Random.State.int random 50 in
  match Random.State.int random 5 with
  | 0 -> find k
  | 1 -> add k (Random.State.bits random)
  | 2 -> remove k
  | 3 -> get k
  | _ -> length

let exec b (Recorded.Any op) =
  match Batched.exec b op with _ -> () | exception (Not_found | Failure _) -> ()

(* The operations that concurrent tasks call are replayed, in whatever batches they were applied. *)
let many_tasks_are_recorded () =
  List.iter
    (fun domains ->
      let t = Recorded.record ~rank Until_stopped (Table.create Right) in
      let b = Batched.create t in
      let ops = Array.init 5_000 (fun i -> op_of (Random.State.make [| i |])) in
      Weft.run ~domains (fun () ->
          Weft.parallel_for ~chunk_size:1 ~start:0
            ~finish:(Array.length ops - 1)
            ~body:(fun i -> exec b ops.(i))
            ());
      let recording = Batched.exclusive b Recorded.recording in
      Alcotest.(check int) "operations" 5_000 (Recorded.operations recording);
      check_replay "right" None recording)
    [ 1; 2; 8 ]

let a_fault_among_many_tasks_is_found () =
  let b = Batched.create (Recorded.record ~rank Until_stopped (Table.create (Forgets 7))) in
  let adds = Array.init 100 (fun i : (int, unit) Table.op -> Add (i mod 10, i)) in
  Weft.run ~domains:2 (fun () ->
      ignore (Batched.exec_many b adds : unit array);
      Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:9 ~body:(fun k -> exec b (find k)) ());
  match Recorded.replay meaning (Table.create Right) (Batched.exclusive b Recorded.recording) with
  | None -> Alcotest.fail "not found"
  | Some { operation; expected; got; batch; _ } ->
      Alcotest.(check (list string)) "difference" [ "Find 7"; "Some 97"; "None" ] [ operation; expected; got ];
      Alcotest.(check bool) "after the first" true (batch > 1)

let contents_after ?(on = Table.create Table.Right) recording =
  ignore (replay ~on recording : string option);
  Table.contents on

(* Recorded as batches within the limit, in the order of the operations. *)
let all_at_once_are_recorded () =
  List.iter
    (fun domains ->
      let b = Batched.create ~limit:40 (Recorded.record ~rank Until_stopped (Table.create Right)) in
      Weft.run ~domains (fun () ->
          Batched.exec_all b 100 (fun i -> Add (i mod 50, i));
          exec b (find 7));
      let recording = Batched.exclusive b Recorded.recording in
      Alcotest.(check int) "batches" 4 (Recorded.batches recording);
      Alcotest.(check int) "operations" 101 (Recorded.operations recording);
      check_replay "right" None recording;
      Alcotest.(check (list (pair int int)))
        "the last of each key"
        (List.init 50 (fun k -> (k, k + 50)))
        (contents_after recording))
    [ 1; 2; 8 ]

let a_fault_among_all_at_once_is_found () =
  let recorded fault =
    let b = Batched.create ~limit:4 (Recorded.record ~rank Until_stopped (Table.create fault)) in
    let failed =
      match Batched.exec_all b 10 (fun i -> Add (i, i)) with
      | () -> None
      | exception exn -> Some (Printexc.to_string exn)
    in
    List.iter (exec b) [ find 5; find 6 ];
    (failed, Batched.exclusive b Recorded.recording)
  in
  let failed, recording = recorded (Fails 5) in
  Alcotest.(check (option string)) "raised" (Some "Stdlib.Exit") failed;
  check_replay "an exception"
    (Some "batch 2, operation 1: Add 5 5: expected (), got the exception Stdlib.Exit")
    recording;
  let failed, recording = recorded (Forgets 5) in
  Alcotest.(check (option string)) "not raised" None failed;
  check_replay "forgotten" (Some "batch 4, operation 0: Find 5: expected Some 5, got None") recording;
  (* The fault ends the second batch: what that one left out is not replayed, and the third is run all the
     same. *)
  let failed, recording = recorded (Raises 5) in
  Alcotest.(check (option string)) "raised" (Some "Failure(\"the key 5\")") failed;
  Alcotest.(check (list int))
    "what was done" [ 0; 1; 2; 3; 4; 8; 9 ]
    (List.map fst (contents_after recording))

let case name f = Testing.Watchdog.case name f

let () =
  Alcotest.run "recorder"
    [
      ( "replay",
        [
          case "a right structure replays without a difference" a_right_structure_replays_without_a_difference;
          case "a fault is named" a_fault_is_named;
          case "ranks come before arrival" ranks_come_before_arrival;
          case "what a failed batch left is not replayed" what_a_failed_batch_left_is_not_replayed;
          case "single operations are batches of one" single_operations_are_batches_of_one;
        ] );
      ( "extent",
        [
          case "the first are kept" the_first_are_kept;
          case "the last are kept, and replayed on what was before"
            the_last_are_kept_and_replayed_on_what_was_before;
          case "what a failed batch left does not fall out" what_a_failed_batch_left_does_not_fall_out;
          case "nothing is kept when stopped" nothing_is_kept_when_stopped;
          case "a number less than one is refused" a_number_less_than_one_is_refused;
        ] );
      ( "files",
        [
          case "a file holds what was recorded" a_file_holds_what_was_recorded;
          case "a difference is found in a file" a_difference_is_found_in_a_file;
          case "what is printed may have any characters" what_is_printed_may_have_any_characters;
          case "a printer that raises leaves the file as it was" a_printer_that_raises_leaves_the_file;
          case "a bad file is refused with its line" a_bad_file_is_refused_with_its_line;
        ] );
      ( "in use",
        [
          case "many tasks are recorded" many_tasks_are_recorded;
          case "a fault among many tasks is found" a_fault_among_many_tasks_is_found;
          case "all at once are recorded" all_at_once_are_recorded;
          case "a fault among all at once is found" a_fault_among_all_at_once_is_found;
        ] );
    ]
