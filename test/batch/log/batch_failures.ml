(* The batched log: failures, and the end. *)

module Alcotest = Testing.Checks.Alcotest
open Support
module Batched = Weft_batch.Log

let contents log = List.rev (Batched.fold (fun _ s all -> s :: all) log [])
let with_domains f = List.iter (fun domains -> Weft.run ~domains (fun () -> f ())) [ 1; 2; 8 ]

(* The result of each append. *)
let attempt log s =
  match Batched.append log s with
  | _ -> `Appended s
  | exception Batched.Closed _ -> `Closed s
  | exception Batched.Failed _ -> `Failed s
  | exception Unix.Unix_error (ENOSPC, _, _) -> `No_space s

let appended outcomes = List.filter_map (function `Appended s -> Some s | _ -> None) outcomes
let sorted = List.sort compare

let no_space_left () =
  with_domains @@ fun () ->
  in_directory @@ fun path ->
  let full = Atomic.make false in
  let write fd ~at b from length =
    if Atomic.get full then raise (Unix.Unix_error (ENOSPC, "write", ""))
    else quick.write fd ~at b from length
  in
  let log = Batched.open_ ~system:{ quick with write } path in
  let outcomes n = Weft.all (List.init 50 (fun i () -> attempt log (string_of_int (n + i)))) in
  let first = outcomes 0 in
  Atomic.set full true;
  let second = outcomes 100 in
  Atomic.set full false;
  let third = outcomes 200 in
  Alcotest.(check (list int))
    "appended" [ 50; 0; 50 ]
    (List.map (fun l -> List.length (appended l)) [ first; second; third ]);
  check_strings "there" (sorted (appended (first @ third))) (sorted (contents log));
  Batched.close log

let failed_syncs () =
  with_domains @@ fun () ->
  in_directory @@ fun path ->
  let left = Atomic.make 1_000_000 in
  let sync _ = if Atomic.fetch_and_add left (-1) = 0 then raise (Unix.Unix_error (EIO, "fsync", "")) in
  let log = Batched.open_ ~system:{ quick with sync } path in
  let first = Weft.all (List.init 20 (fun i () -> attempt log (string_of_int i))) in
  (* Only the next append fails. *)
  Atomic.set left 0;
  let second = Weft.all (List.init 20 (fun i () -> attempt log (string_of_int (100 + i)))) in
  Alcotest.(check (pair int int))
    "appended" (20, 0)
    (List.length (appended first), List.length (appended second));
  check_strings "what is synced" (sorted (appended first)) (sorted (contents log));
  (match Batched.sync log with () -> Alcotest.fail "synced" | exception Batched.Failed _ -> ());
  Batched.close log;
  Support.opened path (fun log ->
      let found = Support.contents log in
      List.iter (fun s -> if not (List.mem s found) then Alcotest.failf "%s is lost" s) (appended first))

let closing_among_appends () =
  with_domains @@ fun () ->
  in_directory @@ fun path ->
  let log = Batched.open_ ~system:quick path in
  let task i () = List.init 20 (fun k -> attempt log (Printf.sprintf "%d %d" i k)) in
  let close () =
    Weft.yield ();
    Batched.close log
  in
  let outcomes, () = Weft.par (fun () -> List.concat (Weft.all (List.init 20 task))) close in
  Batched.close log;
  let closed f = match f () with _ -> false | exception Batched.Closed _ -> true in
  Alcotest.(check bool) "append" true (closed (fun () -> Batched.append log "x"));
  Alcotest.(check bool) "read" true (closed (fun () -> contents log));
  Alcotest.(check bool) "sync" true (closed (fun () -> Batched.sync log));
  Support.opened path (fun log ->
      check_strings "there" (sorted (appended outcomes)) (sorted (Support.contents log)))

let misuse () =
  in_directory @@ fun path ->
  (match Batched.open_ ~segment_size:0 path with
  | _ -> Alcotest.fail "opened"
  | exception Invalid_argument _ -> ());
  let log = Batched.open_ ~system:quick path in
  (match Batched.open_ path with _ -> Alcotest.fail "opened twice" | exception Batched.Locked _ -> ());
  (match Batched.read log 5 with _ -> Alcotest.fail "read" | exception Invalid_argument _ -> ());
  (match Batched.fold ~from:5 (fun _ _ n -> n) log 0 with
  | _ -> Alcotest.fail "folded"
  | exception Invalid_argument _ -> ());
  Batched.close log

let tests =
  [
    test "no space left" no_space_left;
    test "failed syncs" failed_syncs;
    test "closing among appends" closing_among_appends;
    test "misuse" misuse;
  ]
