(* A log when nothing goes wrong. *)

open Support

let payload i = String.make (i * 37 mod 301) (Char.chr (i land 255)) ^ string_of_int i

let records_come_back () =
  in_directory @@ fun path ->
  let positions =
    opened ~segment_size:2000 path (fun log ->
        let positions = List.init 200 (fun i -> Log.append log (payload i)) in
        check_strings "at once" (List.init 200 payload) (contents log);
        positions)
  in
  opened path @@ fun log ->
  Alcotest.(check bool) "several segments" true (List.length (image path) > 10);
  Alcotest.(check bool) "in order" true (List.sort_uniq compare positions = positions);
  Alcotest.(check int) "length" 200 (Log.length log);
  Alcotest.(check int) "recovery" 200 (Log.recovery log).records;
  Alcotest.(check bool) "nothing cut off" true ((Log.recovery log).cut = None);
  check_strings "after opening" (List.init 200 payload) (contents log);
  check_strings "one by one" (List.init 200 payload) (List.map (Log.read log) positions);
  List.iteri
    (fun i from ->
      let some = List.rev (Log.fold ~from (fun p s all -> (p, s) :: all) log []) in
      if some <> List.init (200 - i) (fun k -> (List.nth positions (i + k), payload (i + k))) then
        Alcotest.failf "from record %d" i)
    positions;
  check_strings "from the end" [] (Log.fold ~from:(Log.stop log) (fun _ s all -> s :: all) log [])

let positions_that_are_none () =
  in_directory @@ fun path ->
  let check_none log p =
    let refused f = match f () with _ -> false | exception Invalid_argument _ -> true in
    if not (refused (fun () -> Log.read log p)) then Alcotest.failf "a record at %d" p;
    if p <> Log.stop log && not (refused (fun () -> Log.fold ~from:p (fun _ s _ -> s) log "")) then
      Alcotest.failf "records from %d" p
  in
  opened path @@ fun log ->
  check_none log 0;
  let positions = List.map (Log.append log) [ "a"; ""; "bc" ] in
  for p = -5 to 100 do
    if not (List.mem p positions) then check_none log p
  done

let long_records () =
  in_directory @@ fun path ->
  let long = String.init 1_000_000 (fun i -> Char.chr (i * i land 255)) in
  let all = [ "a"; long; ""; long ^ "x"; "b" ] in
  opened ~segment_size:1000 path (fun log ->
      List.iter (fun s -> ignore (Log.append log s)) all;
      check_strings "at once" all (contents log));
  opened path (fun log -> check_strings "after opening" all (contents log))

let folds_see_what_was_there_at_first () =
  in_directory @@ fun path ->
  opened ~segment_size:100 path @@ fun log ->
  List.iter (fun s -> ignore (Log.append log s)) [ "a"; "b"; "c" ];
  let seen =
    Log.fold
      (fun _ s all ->
        ignore (Log.append log (s ^ "'"));
        s :: all)
      log []
  in
  check_strings "seen" [ "c"; "b"; "a" ] seen;
  check_strings "appended" [ "a"; "b"; "c"; "a'"; "b'"; "c'" ] (contents log)

let old_segments_go () =
  in_directory @@ fun path ->
  let all = List.init 50 payload in
  let kept =
    opened ~segment_size:1000 path @@ fun log ->
    let positions = List.map (Log.append log) all in
    let middle = List.nth positions 25 in
    Log.drop_before log middle;
    Alcotest.(check bool) "some have gone" true (Log.first log > 0 && Log.first log <= middle);
    let kept = contents log in
    Alcotest.(check int) "length" (List.length kept) (Log.length log);
    Alcotest.(check bool) "not what was to stay" true (List.length kept >= 25);
    check_strings "the rest" (List.filteri (fun i _ -> i >= 50 - List.length kept) all) kept;
    Alcotest.(check bool)
      "cannot be read" true
      (match Log.read log 0 with _ -> false | exception Invalid_argument _ -> true);
    kept
  in
  opened path (fun log ->
      check_strings "after opening" kept (contents log);
      Log.drop_before log max_int;
      Alcotest.(check int) "the last segment stays" 1 (List.length (image path));
      ignore (Log.append log "more"));
  opened path (fun log -> Alcotest.(check string) "more" "more" (List.hd (List.rev (contents log))))

(* Calls the function while another process has the log open; that process is killed afterwards. *)
let held_by_another_process path f =
  let child = Testing.Child.start "./kill_subject.exe" [ "hold"; path ] in
  let finally () =
    Testing.Child.signal child Sys.sigkill;
    ignore (Testing.Child.finish child : Testing.Child.ended)
  in
  Fun.protect ~finally @@ fun () ->
  Testing.Child.wait_for_output child "x";
  f ()

let one_at_a_time () =
  in_directory @@ fun path ->
  let locked () =
    match Log.open_ path with
    | log ->
        Log.close log;
        false
    | exception Log.Locked p -> p = path
  in
  opened path (fun _ ->
      Alcotest.(check bool) "open twice" true (locked ());
      Alcotest.(check bool) "still" true (locked ()));
  opened path (fun log -> ignore (Log.append log "a"));
  held_by_another_process path (fun () -> Alcotest.(check bool) "open elsewhere" true (locked ()));
  Alcotest.(check bool) "free again" false (locked ())

let closed_logs () =
  in_directory @@ fun path ->
  let log = Log.open_ path in
  ignore (Log.append log "a");
  Log.close log;
  Log.close log;
  let closed f = match f () with _ -> false | exception Log.Closed p -> p = path in
  Alcotest.(check (list bool))
    "closed" [ true; true; true; true ]
    [
      closed (fun () -> ignore (Log.append log "b"));
      closed (fun () -> Log.sync log);
      closed (fun () -> ignore (contents log));
      closed (fun () -> Log.drop_before log 0);
    ];
  (* Opening and closing a log writes nothing. *)
  let before = image path in
  for _ = 1 to 3 do
    opened path ignore
  done;
  Alcotest.(check bool) "unchanged" true (image path = before)

let what_is_not_there () =
  in_directory @@ fun path ->
  let refused f =
    match f () with
    | _ -> false
    | exception Unix.Unix_error (ENOENT, _, _) -> true
    | exception Sys_error _ -> true
  in
  Alcotest.(check bool) "no directory" true (refused (fun () -> Log.open_ ~create:false path));
  Alcotest.(check bool) "no parent" true (refused (fun () -> Log.open_ (Filename.concat path "x")));
  Sys.mkdir path 0o755;
  Alcotest.(check bool) "no log" true (refused (fun () -> Log.open_ ~create:false path));
  Alcotest.check_raises "segment size"
    (Invalid_argument "Weft_containers.Log_file.open_: segment_size 0, which should be positive") (fun () ->
      ignore (Log.open_ ~segment_size:0 path));
  Log.close (Log.open_ path);
  Log.close (Log.open_ ~create:false path)

let tests =
  [
    test "records come back" records_come_back;
    test "positions that are none" positions_that_are_none;
    test "long records" long_records;
    test "folds see what was there at first" folds_see_what_was_there_at_first;
    test "old segments go" old_segments_go;
    test "one at a time" one_at_a_time;
    test "closed logs" closed_logs;
    test "what is not there" what_is_not_there;
  ]
