(* The lines of functions of this very program. *)

open Weft_insight_trace
module Closure = Weft_platform.Closure

let work = Sys.opaque_identity (fun x -> x + 1)
let captured = Sys.opaque_identity 7

(* Closures whose code calls nothing that could be seen on a stack: it ends with a jump, or is a store. *)
let jumps () = Sys.opaque_identity (fun () -> work captured)
let jumps_at = __LINE__ - 1

let stores =
  let cell = ref 0 in
  fun () -> Sys.opaque_identity (fun n -> cell := n)

let stores_at = __LINE__ - 2
let three = Sys.opaque_identity (fun a b c -> a + work b + c)
let three_at = __LINE__ - 1

(* Only systems with files in ELF tell. *)
let with_lines f =
  match Executable.load [ "/nowhere"; Sys.executable_name ] with
  | Some e -> f e
  | None -> if Sys.file_exists "/proc/self/exe" then Alcotest.fail "this program cannot be read"

let test_lines () =
  with_lines @@ fun e ->
  let check what at place =
    let expected = Printf.sprintf "test_executable.ml:%d" at in
    match Executable.line e place with
    | Some line when String.ends_with ~suffix:expected line -> ()
    | other -> Alcotest.failf "%s: %s instead of %s" what (Option.value other ~default:"none") expected
  in
  check "a call at the end" jumps_at (Closure.place (jumps ()));
  check "a store" stores_at (Closure.place (stores ()));
  check "several arguments" three_at (Closure.place three)

let test_no_line () =
  with_lines @@ fun e ->
  let check what place = Alcotest.(check (option string)) what None (Executable.line e place) in
  check "no function" 0;
  check "one of Weft's own" (Closure.place Closure.is_shared)

let test_other_files () =
  List.iter
    (fun text ->
      let path = Filename.temp_file "weft-executable-" "" in
      Fun.protect ~finally:(fun () -> Sys.remove path) @@ fun () ->
      Out_channel.with_open_bin path (fun out -> output_string out text);
      Alcotest.(check bool) "no executable" true (Option.is_none (Executable.load [ path ])))
    [ ""; "#!/bin/sh\n"; "\x7fELF\002\001"; "\x7fELF\002\001" ^ String.make 58 '\xff' ]

(* Any byte of the tables may be wrong: then there are fewer rows, or others, and nothing else happens. *)
let test_damage () =
  let rest =
    "\001\001\xfb\x0e\x0d\000\001\001\001\001\000\000\000\001\000\000\001" ^ "\000" ^ "a.ml\000\000\000\000"
    ^ "\000" ^ "\000\009\002\000\016\000\000\000\000\000\000" ^ "\x13" ^ "\000\001\001"
  in
  (* With lengths of 32 bits, and of 64. *)
  let short = "\x30\000\000\000" ^ "\003\000" (* the version *) ^ "\x1b\000\000\000" (* of the head *) ^ rest
  and long =
    "\xff\xff\xff\xff" ^ "\x34" ^ String.make 7 '\000' ^ "\003\000" ^ "\x1b" ^ String.make 7 '\000' ^ rest
  in
  let rows text =
    let rows = ref [] in
    Line_table.read ~line:text ~line_str:"" ~str:"" (fun address file line ->
        rows := (address, file, line) :: !rows);
    !rows
  in
  let damage table =
    if not Sys.big_endian then
      Alcotest.(check (list (triple int string int))) "whole" [ (16 * 256, "a.ml", 2) ] (rows table);
    for i = 0 to String.length table - 1 do
      ignore (rows (String.sub table 0 i));
      List.iter
        (fun other ->
          let b = Bytes.of_string table in
          Bytes.fill b i (min 8 (String.length table - i)) other;
          ignore (rows (Bytes.to_string b));
          let b = Bytes.of_string table in
          Bytes.set b i other;
          ignore (rows (Bytes.to_string b)))
        [ '\000'; '\x7f'; '\x80'; '\xff' ]
    done
  in
  damage short;
  damage long

let tests =
  [
    Testing.Watchdog.case "functions have the lines where they begin" test_lines;
    Testing.Watchdog.case "other places have none" test_no_line;
    Testing.Watchdog.case "other files have none" test_other_files;
    Testing.Watchdog.case "damaged tables do no harm" test_damage;
  ]
