open Weft_trace

let buffer () = Bytes.make 1024 'x'

let notes : Wire.note list =
  [
    Joined { worker = 0; index = 0; forks = 0; pool = "default"; returned = false };
    Joined { worker = 1023; index = 255; forks = max_int; pool = ""; returned = true };
    Seen { worker = 63; index = 64; forks = 127; pool = "pool-1" };
    Left { worker = 128; index = 1; forks = 8191; pool = "p"; retired = true; jobs = 63 };
    Left { worker = 128; index = 1; forks = 8192; pool = "p"; retired = false; jobs = 0 };
    Fiber { fiber = max_int; parent = 1; place = min_int; name = "stage 37" };
    Wait_begins
      { id = Wire.ids - 1; about = 0; fiber = 9; place = -1024; what = "Weft.Mutex.lock"; name = "table" };
    Wait_begins { id = 0; about = 1; fiber = 0; place = 0; what = "Weft.Chan.recv"; name = "" };
    Woken { wait = Wire.ids - 1; by = 0 };
    Call_begins { id = 1 lsl 20 };
    Region_begins { id = 0; fiber = 7; name = "with \000 and \"quotes\"" };
    Instant "";
    Block
      {
        first = min_int;
        last = max_int;
        began = 1 lsl 50;
        ended = (1 lsl 50) + 20_000;
        alone = true;
        fiber = 2;
        place = -3;
      };
    Block { first = -64; last = -65; began = 7; ended = 6; alone = false; fiber = 0; place = max_int };
    Batch { structure = 7; size = 2048; parallel = true; nanoseconds = 1_000_000_000 };
    Batch { structure = 7; size = 1; parallel = false; nanoseconds = -1 };
    Stood { worker = 1022; blocked = 1_000_000; waited = 0; passed = 1 lsl 45; fiber = 1 lsl 30 };
    Cancelled "Weft.Cancel.Timeout";
    Dumped { pid = 1 lsl 22; at = 1_800_000_000_000_000; program = "/usr/bin/a server" };
  ]

let test_notes_come_back () =
  List.iter
    (fun note ->
      let b = buffer () in
      let length = Wire.encode b note in
      Alcotest.(check bool) "the same" true (Wire.decode b length = note))
    notes

(* OCaml's buffer has 1024 bytes, one of which it uses itself. *)
let test_texts_are_cut () =
  let name = String.concat "" (List.init 1000 (fun _ -> "\xc3\xa9")) in
  let b = buffer () in
  let length = Wire.encode b (Region_begins { id = Wire.ids - 1; fiber = max_int; name }) in
  Alcotest.(check bool) "fits" true (length < 1024);
  match Wire.decode b length with
  | Region_begins { name; _ } ->
      Alcotest.(check bool) "no longer than it may be" true (String.length name <= Wire.longest_text);
      Alcotest.(check bool) "whole characters" true (String.is_valid_utf_8 name);
      Alcotest.(check bool) "not much shorter" true (String.length name >= Wire.longest_text - 1)
  | _ -> Alcotest.fail "another note"

let test_two_texts_are_cut () =
  let name = String.make 2000 'n' and what = String.make 500 'w' in
  let b = buffer () in
  let wait what : Wire.note =
    Wait_begins { id = min_int; about = min_int; fiber = min_int; place = min_int; what; name }
  in
  let length = Wire.encode b (wait what) in
  (match Wire.decode b length with
  | Wait_begins n ->
      Alcotest.(check string) "the first is whole" what n.what;
      Alcotest.(check int) "both are no longer than one may be" Wire.longest_text (500 + String.length n.name)
  | _ -> Alcotest.fail "another note");
  Alcotest.(check bool) "fits" true (Wire.encode b (wait (String.make 2000 'w')) < 1024)

let test_damage_is_unknown () =
  List.iter
    (fun note ->
      let b = buffer () in
      let length = Wire.encode b note in
      (* The note is cut anywhere, or any byte is changed: decoding gives some note or none, and raises no
         exception. *)
      for n = 0 to length do
        ignore (Wire.decode b n);
        ignore (Wire.decode (Bytes.sub b 0 n) length)
      done;
      for i = 0 to length - 1 do
        let c = Bytes.get b i in
        List.iter
          (fun other ->
            Bytes.set b i other;
            ignore (Wire.decode b length))
          [ '\000'; '\x7f'; '\x80'; '\xff' ];
        Bytes.set b i c
      done)
    notes;
  Alcotest.(check bool) "nothing" true (Wire.decode (buffer ()) 0 = Unknown);
  Alcotest.(check bool) "no such kind" true (Wire.decode (Bytes.of_string "z\000\000\000\000") 5 = Unknown)

let test_searches () =
  List.iter
    (fun (worker, jobs, at_hand) ->
      let n = Wire.int_of_search ~worker ~jobs ~at_hand in
      Alcotest.(check bool) "30 bits" true (n >= 0 && n < 1 lsl 30);
      let step = Wire.step_of_int n in
      Alcotest.(check (list int))
        "as it was, but for what is too large"
        [ min worker Wire.most_workers; jobs; min at_hand 4095 ]
        [ step.worker; step.jobs; step.at_hand ];
      Alcotest.(check bool) "a search" true (step.move = Searches))
    [ (0, 0, 0); (1, 63, 1); (1023, 63, 4095); (5000, 1, 1 lsl 20) ]

let tests =
  [
    Testing.Watchdog.case "a search tells how many jobs there were" test_searches;
    Testing.Watchdog.case "notes come back as they were" test_notes_come_back;
    Testing.Watchdog.case "long texts are cut between characters" test_texts_are_cut;
    Testing.Watchdog.case "of two texts the second is cut" test_two_texts_are_cut;
    Testing.Watchdog.case "damaged notes are unknown" test_damage_is_unknown;
  ]
