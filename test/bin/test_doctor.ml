(* The advice and the text on made-up facts, then the program itself, whose path is the first argument. *)

open Weft_doctor
open Made_up
open Testing.Text
module Machine = Weft_platform.Machine
module Membarrier = Weft_platform.Membarrier

let case name promise = Testing.Watchdog.case name promise
let check_contains part text = check_contains "weft doctor" ~part text

(* {1 Advice} *)

let ids facts = List.map (fun { Advice.id; _ } -> id) (Advice.of_facts facts)

let each_alone () =
  let check (id, facts, part) =
    Alcotest.(check (list string)) id [ id ] (ids facts);
    List.iter
      (fun { Advice.why; remedy; _ } -> check_contains part (why ^ " " ^ remedy))
      (Advice.of_facts facts)
  in
  List.iter check calls_for

let every_rule () =
  let tested = List.sort_uniq compare (List.map (fun (id, _, _) -> id) calls_for) in
  Alcotest.(check (list string)) "every advice is tested" (List.sort compare Advice.all_ids) tested

(* The report breaks its lines anywhere between words. *)
let in_one_line text =
  String.concat " "
    (List.filter (( <> ) "") (String.split_on_char ' ' (String.concat " " (String.split_on_char '\n' text))))

let heap_of_a_pool () =
  let shows part facts = check_contains part (in_one_line (Report.text facts)) in
  shows "2,097,152 words (16 MiB) in each of 8 domains (128 MiB in all, while 8 may work at once)" usual_heap;
  shows "in each of 8 domains (128 MiB in all, while 2 may work at once)" (at_once 2 usual_heap);
  shows "1,048,576 words (8 MiB) in each of 2 domains (16 MiB in all, while 2 may work at once)"
    (asking 2 usual_heap)

let nothing () =
  let none what facts = Alcotest.(check (list string)) what [] (ids facts) in
  none "fine" fine;
  none "unknown" unknown;
  none "two domains at the default minor heap" (asking 2 small_heap);
  none "a small minor heap for one domain" (asking 1 { small_heap with minor_heap_words = 512 });
  none "the minor heap is left to Weft" usual_heap;
  heap_of_a_pool ();
  check_contains "the same, set by OCAMLRUNPARAM" (Report.text small_heap);
  none "quota of all processors" { fine with quota = quota 8. };
  none "fence by owner for lack of membarrier is no second advice" (asking 8 fine);
  none "as many at once as there are processors" (at_once 8 fine);
  none "more domains than processors" (asking 9 fine);
  none "fewer at once than there are processors" (at_once 1 fine);
  none "later OCaml" { fine with ocaml_version = "10.0.0+trunk" }

let verdict () =
  let check expected facts =
    Alcotest.(check string)
      "first line"
      ("weft 0.1.0 on this machine: " ^ expected)
      (List.hd (String.split_on_char '\n' (Report.text facts)))
  in
  let two = at_once 9 { fine with native = false } in
  check "set up well" fine;
  check "1 thing to mend" { fine with native = false };
  check "2 things to mend" two;
  check_contains
    "\n\
     Why\n\
    \  1. WEFT_PROCESSORS=9 lets more workers be at work at once than the process has processors now (8).\n\
    \     They take turns, and hold each other up at every minor collection.\n\
    \  2. This program is bytecode, several times slower than native code.\n\n\
     What to do\n\
    \  1. Unset it, or set it to at most 8.\n\
    \  2. Build with ocamlopt.\n\n\
     Build\n"
    (Report.text two)

let now () =
  let shows part facts = check_contains part (Report.text facts) in
  let fewer = { fine with processors_now = { count = 2; share = 1.5 } } in
  shows "may be used now       8\n" fine;
  shows "may be used now       2, for the time of 1.5\n" fewer;
  shows "WEFT_PROCESSORS       not set\n" fine;
  shows "WEFT_PROCESSORS       5, the most workers at work at once" (at_once 5 fine);
  shows "WEFT_PROCESSORS       x, ignored"
    { fine with weft_processors = Some "x"; processors_asked = Error "WEFT_PROCESSORS=x is bad" };
  let check_at_once expected facts = Alcotest.(check int) "at once" expected (Facts.at_once facts) in
  check_at_once 2 fewer;
  check_at_once 5 (at_once 5 fewer);
  check_at_once 8 (asking 4 fewer);
  check_at_once 5 (at_once 5 (asking 4 fewer));
  shows "may be used now       2, for the time of 1.5; but WEFT_DOMAINS is set: pools heed no"
    (asking 4 fewer);
  check_at_once 2 { fewer with processors_asked = Error "bad" }

let runtime_limit () =
  let check expected version parameters =
    Alcotest.(check int)
      (Option.value parameters ~default:"-")
      expected
      (Facts.domain_limit_of ~ocaml_version:version parameters)
  in
  check 128 "5.3.0" None;
  check 128 "5.3.0" (Some "");
  check 128 "5.3.0" (Some "b,s=4M,x");
  check 8 "5.3.0" (Some "d=8");
  check 9 "5.3.0" (Some "d=8,s=1M,d=9,v=0");
  check 16 "5.3.0" (Some "b,d=0x10");
  check 1024 "5.4.0+dev" (Some "d=1k");
  check 128 "5.3.0" (Some "d,d=,d=x");
  check 128 "5.2.1" (Some "d=8")

(* {1 Text} *)

(* Facts are indented by two columns and labels take 22; the next lines of a fact are indented to the end
   of its label. *)
let labels () =
  let is_fact line = String.length line > 24 && String.starts_with ~prefix:"  " line && line.[2] <> ' ' in
  let advice line = match line.[2] with '0' .. '9' -> true | _ -> false in
  let check_line line = if is_fact line && not (advice line) then Alcotest.(check char) line ' ' line.[23] in
  List.iter check_line (String.split_on_char '\n' (Report.text (asking 9 usual_heap)))

let text_fits () =
  let long = { fine with weft_fence = Some (String.concat " " (List.init 60 string_of_int)) } in
  let facts = long :: unknown :: fine :: List.map (fun (_, facts, _) -> facts) calls_for in
  let line text =
    let length = String.length text in
    Alcotest.(check bool) text true (length <= Report.width && (length = 0 || text.[length - 1] <> ' '))
  in
  List.iter
    (fun facts ->
      let lines = String.split_on_char '\n' (Report.text facts) in
      List.iter line lines)
    facts;
  (* A path cannot be broken: it must be printed whole. *)
  let file = "/" ^ String.make 150 'x' in
  check_contains file (Report.text { fine with quota = Some { Machine.processors = 1.5; file } })

(* {1 The program} *)

let program = if Array.length Sys.argv > 1 then Sys.argv.(1) else "weft"

let environment variables =
  let name binding = List.hd (String.split_on_char '=' binding) in
  let names = [ "WEFT_DOMAINS"; "WEFT_PROCESSORS"; "WEFT_FENCE"; "OCAMLRUNPARAM"; "CAMLRUNPARAM" ] in
  let kept =
    List.filter (fun binding -> not (List.mem (name binding) names)) (Array.to_list (Unix.environment ()))
  in
  Array.of_list (variables @ kept)

let exit_code = function
  | Unix.WEXITED code -> code
  | WSIGNALED signal -> if signal = Sys.sigpipe then 141 else 128
  | WSTOPPED _ -> 128

type outcome = { code : int; out : string; err : string }

(* Runs the program; [stdout] replaces the file that its output goes to. *)
let weft ?(variables = []) ?stdout arguments =
  let out = Filename.temp_file "weft" "out" and err = Filename.temp_file "weft" "err" in
  let create path = Unix.openfile path [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0 in
  let out_file = create out and err_file = create err in
  let stdout = Option.value stdout ~default:out_file in
  let pid =
    Unix.create_process_env program
      (Array.of_list ("weft" :: arguments))
      (environment variables) Unix.stdin stdout err_file
  in
  let _, status = Unix.waitpid [] pid in
  List.iter Unix.close [ out_file; err_file ];
  let outcome = { code = exit_code status; out = read out; err = read err } in
  List.iter Sys.remove [ out; err ];
  outcome

let check_code = Alcotest.(check int) "exit code"

let check_one_line err =
  Alcotest.(check bool)
    (Printf.sprintf "one line: %S" err) true
    (String.length err > 1 && String.index err '\n' = String.length err - 1)

let keys =
  [
    "program";
    "weft_version";
    "build_profile";
    "ocaml_version";
    "native_code";
    "flambda";
    "architecture";
    "kernel_release";
    "processor_model";
    "virtual_machine";
    "processors_online";
    "processors_affinity";
    "cpu_quota";
    "cpu_quota_file";
    "processors_now";
    "processors_share_now";
    "weft_processors";
    "processors_at_once";
    "recommended_domain_count";
    "default_domains";
    "default_domains_why";
    "weft_domains";
    "domains";
    "domain_limit";
    "membarrier";
    "membarrier_missing_why";
    "fence_mode";
    "fence_why";
    "weft_fence";
    "minor_heap_words";
    "minor_heap_bytes";
    "minor_heap_set_by";
    "pool_minor_heap_words";
    "ocamlrunparam";
    "load_average";
    "steal_percent";
    "steal_sample_seconds";
    "advice";
  ]

let doctor_json ?variables () =
  let { code; out; err } = weft ?variables [ "doctor"; "--json" ] in
  check_code 0 code;
  (Yojson.Safe.from_string out, err)

let member key json = Yojson.Safe.Util.member key json

let check_member expected key found =
  Alcotest.(check string) key (Yojson.Safe.to_string expected) (Yojson.Safe.to_string (member key found))

let json_keys () =
  let found, err = doctor_json () in
  Alcotest.(check (list string)) "keys" keys (Yojson.Safe.Util.keys found);
  Alcotest.(check string) "no message" "" err;
  check_member (`String Sys.ocaml_version) "ocaml_version" found;
  check_member (`Int (Domain.recommended_domain_count ())) "recommended_domain_count" found;
  check_member `Null "ocamlrunparam" found;
  check_member (`Int (Machine.default_domains ())) "domains" found;
  let now = Machine.processors_now () in
  check_member (`Int now.count) "processors_now" found;
  check_member (`Float now.share) "processors_share_now" found;
  check_member (`Int now.count) "processors_at_once" found;
  check_member `Null "weft_processors" found;
  check_member (`Bool (Membarrier.membarrier = Available)) "membarrier" found

let json_advice () =
  let found, _ =
    doctor_json ~variables:[ "WEFT_DOMAINS=100"; "WEFT_PROCESSORS=x"; "OCAMLRUNPARAM=s=128k" ] ()
  in
  let id advice =
    let text key = Yojson.Safe.Util.(to_string (member key advice)) in
    (text "id", text "why" <> "" && text "remedy" <> "")
  in
  let advice = List.map id (Yojson.Safe.Util.to_list (member "advice" found)) in
  List.iter
    (fun id -> Alcotest.(check bool) id true (List.mem (id, true) advice))
    [ "processors_invalid"; "minor_heap_small" ]

let reads_environment () =
  let found, _ =
    doctor_json ~variables:[ "WEFT_DOMAINS=3"; "OCAMLRUNPARAM=s=512k,d=77"; "WEFT_FENCE=owner" ] ()
  in
  check_member (`String "3") "weft_domains" found;
  check_member (`Int 3) "domains" found;
  check_member (`Int 77) "domain_limit" found;
  check_member (`Int 524288) "minor_heap_words" found;
  check_member (`Int (524288 * (Sys.word_size / 8))) "minor_heap_bytes" found;
  check_member (`String "s=512k,d=77") "ocamlrunparam" found;
  check_member (`String "owner") "fence_mode" found;
  let found, _ = doctor_json ~variables:[ "WEFT_PROCESSORS= 7 " ] () in
  check_member (`String " 7 ") "weft_processors" found;
  check_member (`Int 7) "processors_at_once" found;
  let found, _ = doctor_json ~variables:[ "WEFT_PROCESSORS=1025" ] () in
  check_member (`Int (Machine.processors_now ()).count) "processors_at_once" found;
  let found, _ = doctor_json ~variables:[ "WEFT_DOMAINS=1\n\2552" ] () in
  check_member (`Int (Machine.default_domains ())) "domains" found;
  check_member (`String "1\\x0a\\xff2") "weft_domains" found

(* A file that says of its Weft what a program does; [before] stands in front of that. *)
let of_file ?(before = "") line =
  let path = Filename.temp_file "weft" ".exe" in
  Out_channel.with_open_bin path (fun channel -> Out_channel.output_string channel (before ^ line));
  let { code; out; err } = weft [ "doctor"; "--json"; path ] in
  let { out = text; _ } = weft [ "doctor"; path ] in
  Sys.remove path;
  Alcotest.(check (pair int string)) "it goes well" (0, "") (code, err);
  (member "program" (Yojson.Safe.from_string out), text)

let other_programs () =
  let line profile = Printf.sprintf "\nweft-build version=0.2 profile=%s\n" profile in
  let found, text = of_file (line "dev") in
  check_member (`String "dev") "build_profile" found;
  check_member (`String "0.2") "weft_version" found;
  check_contains "0.2, dune profile dev" text;
  check_contains "Build the program with --release." text;
  let release what before =
    let found, text = of_file ~before (line "release") in
    Alcotest.(check string) what "\"release\"" (Yojson.Safe.to_string (member "build_profile" found));
    Alcotest.(check bool) "nothing is advised" false (contains "Build the program" text)
  in
  List.iter
    (fun n -> release (Printf.sprintf "after %d bytes" n) (String.make n 'x'))
    [ 0; 1; 65_500; 65_530; 65_536; 131_060; 200_000 ];
  release "after the words alone" "\nweft-build version=1\nweft-build ";
  let found, text = of_file "nothing of Weft\nweft-build version=0.2 profile" in
  check_member `Null "build_profile" found;
  check_contains "none, or one older" text

(* This program contains Weft, built as [weft] was. *)
let real_program () =
  ignore (Sys.opaque_identity (Weft.run (fun () -> 1)));
  let { code; out; _ } = weft [ "doctor"; "--json"; Sys.executable_name ] in
  check_code 0 code;
  let json = Yojson.Safe.from_string out in
  let found = member "program" json in
  check_member (member "build_profile" json) "build_profile" found;
  check_member (member "weft_version" json) "weft_version" found

let text_output () =
  let { code; out; err } = weft ~variables:[ "WEFT_PROCESSORS=x" ] [ "doctor" ] in
  check_code 0 code;
  check_contains "to mend" (List.hd (String.split_on_char '\n' out));
  Alcotest.(check string) "no message" "" err;
  List.iter
    (fun part -> check_contains part out)
    [ Sys.ocaml_version; "minor heap"; "membarrier"; "CPU quota"; "may be used now"; "WEFT_PROCESSORS" ]

let bad_command_line () =
  let check part arguments =
    let { code; out; err } = weft arguments in
    check_code 2 code;
    Alcotest.(check string) "no output" "" out;
    check_one_line err;
    check_contains part err
  in
  check "--bogus" [ "doctor"; "--bogus" ];
  check "extra: cannot be read" [ "doctor"; "extra" ];
  check "extra" [ "doctor"; Sys.executable_name; "extra" ];
  check "--json" [ "doctor"; "--json=yes" ];
  check "--bogus" [ "bench"; "--bogus" ];
  check "nonsense" [ "nonsense" ];
  check "COMMAND" []

(* With the signal's default action, and with it ignored, as some parents leave it. *)
let reader_gone () =
  let run () =
    let reader, writer = Unix.pipe ~cloexec:true () in
    Unix.close reader;
    let { code; err; _ } = weft ~stdout:writer [ "doctor" ] in
    Unix.close writer;
    check_code 141 code;
    Alcotest.(check string) "no message" "" err
  in
  run ();
  let previous = Sys.signal Sys.sigpipe Signal_ignore in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigpipe previous) run

let output_fails () =
  let run arguments =
    let full = Unix.openfile "/dev/full" [ O_WRONLY; O_CLOEXEC ] 0 in
    let { code; err; _ } = weft ~stdout:full arguments in
    Unix.close full;
    check_code 123 code;
    check_one_line err;
    check_contains "standard output" err
  in
  if Sys.file_exists "/dev/full" then
    List.iter run [ [ "doctor" ]; [ "doctor"; "--json" ]; [ "--version" ]; [ "--help=plain" ] ]

let help () =
  let { code; out; _ } = weft [ "doctor"; "--help=plain" ] in
  check_code 0 code;
  List.iter (fun part -> check_contains part out) [ "--json"; "123"; "2"; "141" ];
  let { code; out; _ } = weft [ "--version" ] in
  check_code 0 code;
  Alcotest.(check string) "version" (Build_facts.version ^ "\n") out

let () =
  Alcotest.run ~argv:[| "test_doctor" |] "doctor"
    [
      ( "advice",
        [
          case "each fault calls for its own advice alone" each_alone;
          case "every advice has its test" every_rule;
          case "where nothing is wrong, nothing is advised" nothing;
          case "what may be used now is shown, and what is asked for instead" now;
          case "the limit of domains is read from OCAMLRUNPARAM" runtime_limit;
        ] );
      ( "text",
        [
          case "a blank parts every label from its fact" labels;
          case "the first line is the verdict, then come why and what to do" verdict;
          case "no line is longer than 100 columns or ends in a blank" text_fits;
        ] );
      ( "program",
        [
          case "--json is one object with the documented keys" json_keys;
          case "--json lists advice, with why and what to do" json_advice;
          case "the environment's settings are shown" reads_environment;
          case "the text has the facts and the advice" text_output;
          case "a program's file says how its Weft was built" other_programs;
          case "this program's file does" real_program;
          case "a wrong command line is one line and exit code 2" bad_command_line;
          case "a reader that has gone ends the program without a word" reader_gone;
          case "output that cannot be written is one line and exit code 123" output_fails;
          case "the help names the options and exit codes" help;
        ] );
    ]
