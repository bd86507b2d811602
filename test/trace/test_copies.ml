(* Rings into which somebody writes while they are copied. *)

module Ring_file = Weft_trace.Ring_file

let check = Alcotest.check
let subject = Tool.program "subject.exe"

(* [f dir file] of a dump of small rings. *)
let dumped f =
  Tool.in_folder @@ fun dir ->
  let file = Filename.concat dir "slow.events" in
  let env = [ ("WEFT_TRACE", "ring"); ("OCAML_RUNTIME_EVENTS_DIR", dir); ("OCAMLRUNPARAM", "e=12") ] in
  let ended = Testing.Child.run ~env subject [ "dump"; file ] in
  check Alcotest.int ("subject: " ^ ended.err) 0 ended.code;
  f dir file

let word_at text at = Int64.to_int (String.get_int64_ne text at)

(* The oldest word of ring 0 that is left, and the end. *)
let positions_of path =
  let head = Option.get (Ring_file.head path) in
  let text = In_channel.with_open_bin path In_channel.input_all in
  (word_at text head.positions_at, word_at text (head.positions_at + 8))

let add_to_oldest path by =
  let head = Option.get (Ring_file.head path) and oldest, _ = positions_of path in
  let word = Bytes.create 8 in
  Bytes.set_int64_ne word 0 (Int64.of_int (oldest + by));
  Out_channel.with_open_gen [ Open_wronly; Open_binary ] 0 path (fun out ->
      Out_channel.seek out (Int64.of_int head.positions_at);
      Out_channel.output_bytes out word)

(* Copies with a writer that overwrites so much whenever ring 0 has been copied; how often that was, too. *)
let copied ~by dir file =
  let into = Filename.concat dir "copy" and times = ref 0 in
  let before = positions_of file in
  let after_words ring =
    if ring = 0 then begin
      incr times;
      add_to_oldest file by
    end
  in
  Out_channel.with_open_bin into (Ring_file.copy ~after_words file);
  (before, positions_of into, !times)

let test_overwritten () =
  let pair = Alcotest.(pair int int) in
  let with_full f =
    dumped @@ fun dir file ->
    let oldest, ended = positions_of file in
    check Alcotest.bool "the ring is full" true (ended - oldest > 3_000);
    f dir file
  in
  with_full (fun dir file ->
      let (oldest, ended), now, times = copied ~by:1_000 dir file in
      check pair "a part is left out" (oldest + 1_000, ended) now;
      check Alcotest.int "copied once" 1 times);
  with_full (fun dir file ->
      let (_, ended), now, times = copied ~by:5_000 dir file in
      check Alcotest.int "copied as often as it may be" 10 times;
      check Alcotest.bool "nothing is left" true (fst now = snd now && snd now > ended))

let tests = [ Testing.Watchdog.case "what is overwritten while it is copied is left out" test_overwritten ]
