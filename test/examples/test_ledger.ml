(* The example program ledger: transfers that were made are there the next time, whatever happens in
   between. *)

let ledger ?(more = []) directory transfers =
  Program.run "ledger" ([ directory; "--transfers"; string_of_int transfers ] @ more)

let in_directory f = Testing.Folder.within "ledger" (fun outer -> f (Filename.concat outer "books"))
let number s = int_of_string (String.concat "" (String.split_on_char ',' s))

(* How many transfers it found, how many it made, and whether something was cut off. *)
let check what ({ code; out; err } : Program.answer) =
  Alcotest.(check (pair int string)) what (0, "") (code, err);
  let count verb =
    let of_line l =
      match String.split_on_char ' ' l with v :: n :: _ when v = verb -> Some (number n) | _ -> None
    in
    Option.value (List.find_map of_line (Program.lines out)) ~default:0
  in
  Alcotest.(check bool) (what ^ ": agrees") true (Program.contains out "the balances are those of the log");
  (count "recovered", count "made", Program.contains out "cut off")

let check_counts what expected answer =
  Alcotest.(check (triple int int bool)) what expected (check what answer)

let transfers_stay () =
  in_directory @@ fun path ->
  check_counts "first" (0, 250, false) (ledger path 250);
  List.iteri
    (fun i domains ->
      check_counts (domains ^ " domains")
        (250 + (100 * i), 100, false)
        (ledger path 100 ~more:[ "--tasks"; "30"; "--domains"; domains ]))
    [ "1"; "2"; "8" ];
  check_counts "nothing to do" (550, 0, false) (ledger path 0)

let segment path =
  let is_segment name = Filename.check_suffix name ".log" in
  Filename.concat path (List.find is_segment (Array.to_list (Sys.readdir path)))

let rewrite path f =
  let text = In_channel.with_open_bin path In_channel.input_all in
  Out_channel.with_open_bin path (fun channel -> output_string channel (f text))

let an_incomplete_end_is_cut_off () =
  in_directory @@ fun path ->
  check_counts "first" (0, 50, false) (ledger path 50);
  rewrite (segment path) (fun text -> text ^ "half a rec");
  check_counts "second" (50, 50, true) (ledger path 50);
  check_counts "third" (100, 0, false) (ledger path 0)

(* Of its records, in bytes. *)
let written path =
  let size name =
    if Filename.check_suffix name ".log" then (Unix.stat (Filename.concat path name)).st_size else 0
  in
  if Sys.file_exists path then Array.fold_left (fun sum name -> sum + size name) 0 (Sys.readdir path) else 0

(* At the latest when the kill comes, whole records are in the log: no kill takes these away. *)
let some_records = 10_000

let kills_lose_nothing () =
  in_directory @@ fun path ->
  let had = ref 0 in
  for _ = 1 to 5 do
    let before = written path in
    let quiet = Unix.openfile "/dev/null" [ O_RDWR; O_CLOEXEC ] 0 in
    let arguments = [| "ledger"; path; "--transfers"; "1000000" |] in
    let pid = Unix.create_process (Program.path "ledger") arguments quiet quiet quiet in
    Unix.close quiet;
    Testing.Watchdog.until "the log grows" (fun () -> written path >= before + some_records);
    Unix.kill pid Sys.sigkill;
    let _, status = Unix.waitpid [] pid in
    Alcotest.(check bool) "it was at work" true (status = WSIGNALED Sys.sigkill);
    let recovered, made, _ = check "after a kill" (ledger path 20) in
    Alcotest.(check int) "made" 20 made;
    if recovered <= !had then Alcotest.failf "%d transfers, and there were %d" recovered !had;
    had := recovered + made
  done

let what_is_no_ledger_is_refused () =
  in_directory @@ fun path ->
  check_counts "first" (0, 50, false) (ledger path 50);
  Program.check_one_line "other accounts" ~code:2
    [ path; "record at position"; "there are only 2" ]
    (ledger path 0 ~more:[ "--accounts"; "2" ]);
  rewrite (segment path) (fun text -> String.mapi (fun i c -> if i = 100 then '\255' else c) text);
  Program.check_one_line "damage" ~code:2 [ segment path; "damaged at offset" ] (ledger path 10);
  let log = Weft_containers.Log_file.open_ (path ^ "2") in
  Program.check_one_line "in use" ~code:2 [ path ^ "2"; "open" ] (ledger (path ^ "2") 10);
  ignore (Weft_containers.Log_file.append log "something else");
  Weft_containers.Log_file.close log;
  Program.check_one_line "other records" ~code:2
    [ "record at position 0"; "no transfer" ]
    (ledger (path ^ "2") 10);
  Program.check_one_line "no parent" ~code:2 [ "No such file or directory" ] (ledger (path ^ "/no/where") 10)

let wrong_options_are_refused () =
  List.iter (Program.check_refused "ledger")
    [ []; [ "x"; "y" ]; [ "x"; "--tasks"; "0" ]; [ "x"; "--accounts"; "1" ]; [ "x"; "--domains"; "0" ] ]

let an_unwritable_output_is_an_error () =
  in_directory @@ fun path -> Program.check_unwritable "ledger" [ path; "--transfers"; "5" ]

let () =
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "ledger"
    [
      ( "program",
        [
          test "transfers stay" transfers_stay;
          test "an incomplete end is cut off" an_incomplete_end_is_cut_off;
          test "kills lose nothing" kills_lose_nothing;
          test "what is no ledger is refused" what_is_no_ledger_is_refused;
          test "wrong options are refused" wrong_options_are_refused;
          test "an unwritable output is an error" an_unwritable_output_is_an_error;
        ] );
    ]
