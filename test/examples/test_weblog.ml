(* The example program weblog: its counts, compared with another way to count, and its behaviour with any
   input. *)

open Web_log

(* --- another way to count: line by line, with a regular expression --- *)

let quoted = {|"\(\([^"\\]\|\\.\)*\)"|}

let line_format =
  Str.regexp
    ({|[^ ]+ [^[]*\[[^]]*\] |} ^ quoted ^ {| \([1-5][0-9][0-9]\) \(-\|[0-9]+\)\( |} ^ quoted ^ " " ^ quoted
   ^ {|\( .*\)?\)?$|})

let target = Str.regexp {|[^ ]* \([^ ]+\)|}

let path_of request =
  if Str.string_match target request 0 then List.hd (String.split_on_char '?' (Str.matched_group 1 request))
  else request

type counts = {
  requests : int;
  bad_lines : int;
  bytes : int;
  by_class : int list; (* 1xx to 5xx *)
  paths : (string * int) list; (* ranked *)
}

let without_return line =
  match String.length line with n when n > 0 && line.[n - 1] = '\r' -> String.sub line 0 (n - 1) | _ -> line

let count_lines text =
  let lines = match List.rev (String.split_on_char '\n' text) with "" :: lines -> lines | lines -> lines in
  let bad = ref 0 and bytes = ref 0 and classes = Array.make 6 0 and paths = Hashtbl.create 16 in
  let size = function "-" -> Some 0 | digits -> int_of_string_opt digits in
  let count line =
    let too_long = String.length line >= Blocks.limit in
    let line = without_return line in
    if too_long || not (Str.string_match line_format line 0 && Str.match_end () = String.length line) then
      incr bad
    else
      let group n = Str.matched_group n line in
      let request = group 1 and status = group 3 in
      match size (group 4) with
      | None -> incr bad
      | Some n ->
          bytes := !bytes + n;
          let c = int_of_string status / 100 in
          classes.(c) <- classes.(c) + 1;
          let path = path_of request in
          Hashtbl.replace paths path (1 + Option.value (Hashtbl.find_opt paths path) ~default:0)
  in
  List.iter count lines;
  let ranked (p, n) (q, m) = compare (-n, p) (-m, q) in
  {
    requests = Array.fold_left ( + ) 0 classes;
    bad_lines = !bad;
    bytes = !bytes;
    by_class = List.init 5 (fun i -> classes.(i + 1));
    paths = List.sort ranked (List.of_seq (Hashtbl.to_seq paths));
  }

let counts_of summary =
  {
    requests = Summary.requests summary;
    bad_lines = Summary.bad_lines summary;
    bytes = Summary.bytes summary;
    by_class = List.init 5 (fun i -> Summary.by_class summary (i + 1));
    paths = Summary.top summary max_int;
  }

let check_counts what expected found =
  let check kind = Alcotest.(check kind) in
  check Alcotest.int (what ^ ": requests") expected.requests found.requests;
  check Alcotest.int (what ^ ": bad lines") expected.bad_lines found.bad_lines;
  check Alcotest.int (what ^ ": bytes") expected.bytes found.bytes;
  check Alcotest.(list int) (what ^ ": classes") expected.by_class found.by_class;
  check Alcotest.(list (pair string int)) (what ^ ": paths") expected.paths found.paths

(* --- lines --- *)

let parse line = Request.parse line ~first:0 ~last:(String.length line)

let a_line_is_read_or_bad () =
  let good line path status bytes =
    match parse line with
    | None -> Alcotest.failf "%S is bad" line
    | Some found ->
        Alcotest.(check (triple string int int))
          line (path, status, bytes)
          (found.path, found.status, found.bytes)
  and bad line = if parse line <> None then Alcotest.failf "%S is not bad" line in
  let before = "h - u [t] " in
  good (before ^ {|"GET /a?b=c HTTP/1.1" 200 12 "r" "a"|}) "/a" 200 12;
  good (before ^ {|"GET /a HTTP/1.1" 200 12|}) "/a" 200 12;
  good (before ^ {|"GET /a HTTP/1.1" 200 - "r" "a" 0.003 "more|}) "/a" 200 0;
  good (before ^ {|"GET /a HTTP/1.1" 200 12 "r" "a"|} ^ "\r") "/a" 200 12;
  good (before ^ {|"GET /\"a\\" 404 0 "" ""|}) {|/\"a\\|} 404 0;
  good (before ^ {|"-" 408 - "-" "-"|}) "-" 408 0;
  good (before ^ {|"" 400 1|}) "" 400 1;
  good {|2001:db8::1 - A User With Spaces [22/Nov/2024:10:15:32 +0100] "HEAD / HTTP/1.0" 599 007|} "/" 599 7;
  good (before ^ Printf.sprintf {|"GET / HTTP/1.1" 200 %d|} max_int) "/" 200 max_int;
  List.iter bad
    [
      "";
      "\r";
      " ";
      before;
      {| - u [t] "GET / HTTP/1.1" 200 12|};
      "h - u t] \"GET /\" 200 12";
      "h - u [t \"GET /\" 200 12";
      before ^ {|GET / 200 12|};
      before ^ {|"GET / 200 12|};
      before ^ {|"GET /\" 200 12|};
      before ^ {|"GET /"200 12|};
      before ^ {|"GET /" 20 12|};
      before ^ {|"GET /" 2000 12|};
      before ^ {|"GET /" 099 12|};
      before ^ {|"GET /" 600 12|};
      before ^ {|"GET /" 2x0 12|};
      before ^ {|"GET /" 0x1 12|};
      before ^ {|"GET /" 200|};
      before ^ {|"GET /" 200 |};
      before ^ {|"GET /" 200 -1|};
      before ^ {|"GET /" 200 1_000|};
      before ^ {|"GET /" 200 0x10|};
      before ^ {|"GET /" 200 99999999999999999999|};
      before ^ {|"GET /" 200 12 |};
      before ^ {|"GET /" 200 12 "r"|};
      before ^ {|"GET /" 200 12 "r" "a|};
      before ^ {|"GET /" 200 12 "r" "a"b|};
      before ^ {|"GET /" 200 12 "r" "a\|};
    ];
  (* The rest of the text belongs to other lines. *)
  let text = before ^ {|"GET /" 200 12|} in
  let n = String.length text in
  for last = 0 to n - 2 do
    if Request.parse text ~first:0 ~last <> None && last < n - 1 then
      Alcotest.failf "%d bytes are enough" last
  done

let absurd_sizes_add_up_to_the_greatest () =
  let huge = Printf.sprintf "h - u [t] \"GET /\" 200 %d\n" (max_int - 5) in
  let total = Summary.of_lines huge in
  Summary.merge ~into:total (Summary.of_lines (huge ^ huge));
  Alcotest.(check int) "bytes" max_int (Summary.bytes total)

(* --- blocks --- *)

(* [text] in pieces of random lengths. *)
let read_of ?(most = max_int) random text =
  let at = ref 0 in
  fun buffer start length ->
    let left = String.length text - !at in
    let n = if left = 0 then 0 else 1 + Random.State.int random (min (min left length) most) in
    Bytes.blit_string text !at buffer start n;
    at := !at + n;
    n

let blocks_are_the_input_without_the_long_lines () =
  let random = Random.State.make [| 5 |] in
  let line length = String.make length (if Random.State.bool random then 'a' else 'b') in
  let lengths =
    [| 0; 1; 5; 100; 3000; Blocks.limit - 1; Blocks.limit; Blocks.limit + 1; 5 * Blocks.limit |]
  in
  for _ = 1 to 100 do
    let lines =
      List.init (Random.State.int random 12) (fun _ ->
          line lengths.(Random.State.int random (Array.length lengths)))
    in
    let ends = if Random.State.bool random then "\n" else "" in
    let text = match lines with [] -> "" | lines -> String.concat "\n" lines ^ ends in
    let split = List.rev (String.split_on_char '\n' text) in
    let last, whole = (List.hd split, List.rev (List.tl split)) in
    let is_short l = String.length l < Blocks.limit in
    let expected =
      String.concat "" (List.map (fun l -> l ^ "\n") (List.filter is_short whole))
      ^ if is_short last then last else ""
    in
    let blocks = ref [] in
    let most = if Random.State.bool random then max_int else 5000 in
    let too_long = Blocks.iter ~read:(read_of ~most random text) (fun b -> blocks := b :: !blocks) in
    Alcotest.(check int) "too long" (List.length (List.filter (Fun.negate is_short) split)) too_long;
    Alcotest.(check bool) "the text" true (expected = String.concat "" (List.rev !blocks));
    List.iteri
      (fun i block ->
        let n = String.length block in
        if n = 0 || n > Blocks.limit then Alcotest.failf "a block of %d bytes" n;
        if i > 0 && block.[n - 1] <> '\n' then Alcotest.fail "a block ends within a line")
      !blocks
  done

(* --- the pipeline --- *)

(* Good lines; lines with a byte changed, cut or doubled; noise; and lines that are too long. *)
let any_line random =
  let good = Generate.line (Random.State.bits random) in
  let n = String.length good in
  let byte () = Char.chr (Random.State.int random 256) in
  match Random.State.int random 200 with
  | 0 -> String.make (60_000 + Random.State.int random 10_000) 'x'
  | 1 -> good ^ " " ^ String.make (Random.State.int random 140_000) 'y'
  | 2 -> String.init (Random.State.int random 300) (fun _ -> byte ())
  | i when i < 10 -> good ^ "\r"
  | i when i < 20 && n > 0 -> String.sub good 0 (Random.State.int random n)
  | i when i < 40 && n > 0 ->
      let at = Random.State.int random n in
      let c = if Random.State.bool random then byte () else "\"\\[] -?0".[Random.State.int random 8] in
      String.mapi (fun i old -> if i = at then c else old) good
  | _ -> good

let any_log random =
  let text = String.concat "\n" (List.init (Random.State.int random 2000) (fun _ -> any_line random)) in
  if Random.State.bool random then text ^ "\n" else text

let all_parsers_and_domains_count_alike () =
  let random = Random.State.make [| 23 |] in
  for round = 1 to 5 do
    let text = any_log random in
    let expected = count_lines text in
    List.iter
      (fun (domains, parsers, most) ->
        let found =
          Weft.run ~domains (fun () -> Pipeline.summarize ~parsers ~read:(read_of ?most random text) ())
        in
        check_counts
          (Printf.sprintf "round %d, %d domains, %d parsers" round domains parsers)
          expected (counts_of found))
      [ (1, 1, None); (1, 4, Some 10_000); (2, 1, None); (2, 3, Some 10_000); (3, 20, Some 10_000) ]
  done;
  Alcotest.(check bool) "noise has been among it" true ((count_lines (any_log random)).bad_lines > 10)

exception Broken

let a_failing_read_ends_everything () =
  List.iter
    (fun domains ->
      let reads = ref 0 in
      let read buffer start length =
        incr reads;
        if !reads > 30 then raise Broken;
        Bytes.fill buffer start length '\n';
        length
      in
      match Weft.run ~domains (fun () -> Pipeline.summarize ~parsers:3 ~read ()) with
      | _ -> Alcotest.fail "a summary"
      | exception Broken -> ())
    [ 1; 2; 3 ]

(* Nothing is parsed until the reader has stopped. *)
let slow_parsers_hold_up_the_reader () =
  List.iter
    (fun (domains, parsers) ->
      Weft.run ~domains @@ fun () ->
      let go_on = Weft.Promise.create () and reads = Atomic.make 0 in
      let read buffer start length =
        if Atomic.fetch_and_add reads 1 = 200 then 0
        else begin
          Bytes.fill buffer start length '\n';
          length
        end
      and parse block =
        Weft.await go_on;
        Summary.of_lines block
      in
      let summary = Weft.async (fun () -> Pipeline.summarize ~parse ~parsers ~read ()) in
      let rec wait_for_the_end_of_reading seen =
        Weft.sleep 0.05;
        let now = Atomic.get reads in
        if now < (2 * parsers) + 1 || now > seen then wait_for_the_end_of_reading now
      in
      wait_for_the_end_of_reading 0;
      (* Each parser has one block, the channel holds as many, and the reader has one. *)
      Alcotest.(check int) "blocks" ((2 * parsers) + 1) (Atomic.get reads);
      Weft.Promise.resolve go_on ();
      Alcotest.(check int) "lines" (200 * Blocks.limit) (Summary.bad_lines (Weft.await summary)))
    [ (1, 1); (1, 3); (2, 1); (2, 4); (3, 20) ]

(* --- the program --- *)

let weblog = Program.run "weblog"

let nothing =
  String.concat ""
    (List.map
       (fun name -> Printf.sprintf "%-10s %15d\n" name 0)
       [ "requests"; "  1xx"; "  2xx"; "  3xx"; "  4xx"; "  5xx"; "bytes"; "bad lines" ])

let an_empty_file_is_no_request () =
  Program.in_file "" @@ fun file ->
  Program.check_answer "empty" { code = 0; out = nothing; err = "" } (weblog [ file ]);
  Program.check_answer "standard input" { code = 0; out = nothing; err = "" } (weblog [])

(* The number after a name in the program's output. *)
let number name { Program.out; _ } =
  match List.find_opt (String.starts_with ~prefix:(name ^ " ")) (Program.lines out) with
  | None -> Alcotest.failf "no line %S in %S" name out
  | Some line ->
      let from = String.length name in
      String.sub line from (String.length line - from)
      |> String.split_on_char ',' |> String.concat "" |> String.trim |> int_of_string

let the_generated_log_is_always_the_same () =
  let log n = (weblog [ "--generate"; string_of_int n ]).out in
  let long = log 2000 in
  Alcotest.(check int) "lines" 2000 (List.length (String.split_on_char '\n' long) - 1);
  Alcotest.(check bool) "a shorter one is its beginning" true (String.starts_with ~prefix:(log 300) long);
  Alcotest.(check string) "none" "" (log 0);
  Alcotest.(check string) "unchanged" "c846011b4f46ffa3220bd191d90e6082" (Digest.to_hex (Digest.string long))

let in_generated_log n f = Program.in_file (weblog [ "--generate"; string_of_int n ]).out f

let options_make_no_difference () =
  in_generated_log 5_000 @@ fun file ->
  let expected = count_lines (In_channel.with_open_bin file In_channel.input_all) in
  let first = weblog [ file; "--domains"; "1"; "--parsers"; "1" ] in
  Alcotest.(check int) "requests" expected.requests (number "requests" first);
  Alcotest.(check int) "bad lines" expected.bad_lines (number "bad lines" first);
  Alcotest.(check int) "bytes" expected.bytes (number "bytes" first);
  let path, n = List.hd expected.paths in
  let top = Printf.sprintf "   1  %12s  %s" (Console.Printable.number n) path in
  Alcotest.(check bool) "top" true (List.mem top (Program.lines first.out));
  List.iter
    (fun (domains, parsers) ->
      let arguments = [ file; "--domains"; domains; "--parsers"; parsers ] in
      Program.check_answer (String.concat " " arguments) first (weblog arguments))
    [ ("1", "7"); ("2", "1"); ("2", "4"); ("3", "1000") ];
  Program.check_answer "standard input" first (Program.run ~stdin:file "weblog" []);
  Alcotest.(check int) "--top 3" (8 + 3) (List.length (Program.lines (weblog [ file; "--top"; "3" ]).out));
  Alcotest.(check int) "--top 0" 8 (List.length (Program.lines (weblog [ file; "--top"; "0" ]).out))

let noise_is_bad_lines () =
  let random = Random.State.make [| 3 |] in
  let noise = String.init 2_000_000 (fun _ -> Char.chr (Random.State.int random 256)) in
  Program.in_file noise @@ fun file ->
  let answer = weblog [ file ] in
  Alcotest.(check (pair int string)) "exit code" (0, "") (answer.code, answer.err);
  Alcotest.(check int) "bad lines" (count_lines noise).bad_lines (number "bad lines" answer)

let paths_are_printable () =
  Program.in_file "h - - [t] \"GET /\x1b[31m\xff\n\" 200 1\nh - - [t] \"GET /\x1b[31m\xff\" 200 1\n"
  @@ fun file ->
  let answer = weblog [ file ] in
  Alcotest.(check bool) "escaped" true (Program.contains answer.out "/\\x1b[31m\\xff\n")

(* The largest heap of the program in bytes, as OCaml reports it at the end. *)
let with_heap ?stdin arguments =
  let answer = Program.run ~env:[ ("OCAMLRUNPARAM", "v=0x400") ] ?stdin "weblog" arguments in
  let words line =
    match String.split_on_char ':' line with
    | [ "top_heap_words"; words ] -> int_of_string_opt (String.trim words)
    | _ -> None
  in
  match List.find_map words (Program.lines answer.err) with
  | Some words -> (answer, 8 * words)
  | None -> Alcotest.failf "no top_heap_words in %S" answer.err

(* How much garbage the collector leaves depends on its pace; a program that holds the whole file needs
   more than 50 MB. *)
let memory_is_bounded () =
  let check what text ~parsers ~requests ~bad_lines =
    Program.in_file text @@ fun file ->
    let answer, heap = with_heap [ file; "--parsers"; parsers; "--domains"; "2" ] in
    Alcotest.(check int) (what ^ ": requests") requests (number "requests" answer);
    Alcotest.(check int) (what ^ ": bad lines") bad_lines (number "bad lines" answer);
    if heap > 40_000_000 then
      Alcotest.failf "%s: a heap of %d bytes for a file of %d" what heap (String.length text)
  in
  let repeated n text = String.concat "" (List.init n (fun _ -> text)) in
  check "one line of megabytes" (String.make 50_000_000 'x') ~parsers:"2" ~requests:0 ~bad_lines:1;
  let lines = List.init 1_000 Generate.line in
  let bad_lines = (count_lines (String.concat "\n" lines)).bad_lines in
  check "many lines"
    (repeated 320 (String.concat "\n" lines ^ "\n"))
    ~parsers:"2"
    ~requests:(320 * (1_000 - bad_lines))
    ~bad_lines:(320 * bad_lines)

let what_cannot_be_read_is_one_line () =
  let missing = "/nowhere/at/all" in
  Program.check_one_line "missing" ~code:2
    [ "weblog: " ^ missing ^ ": No such file or directory" ]
    (weblog [ missing ]);
  Program.check_one_line "a directory" ~code:2 [ "weblog: /: Is a directory" ] (weblog [ "/" ]);
  Program.check_one_line "standard input" ~code:2
    [ "weblog: standard input: Is a directory" ]
    (Program.run ~stdin:"/" "weblog" [])

let wrong_options_are_refused () =
  List.iter (Program.check_refused "weblog")
    [
      [ "--parsers"; "0" ];
      [ "--domains"; "0" ];
      [ "--top"; "-1" ];
      [ "--generate"; "some" ];
      [ "--generate"; "5"; "file" ];
      [ "one"; "two" ];
    ]

let an_unwritable_output_is_an_error () =
  Program.in_file "" @@ fun file ->
  Program.check_unwritable "weblog" [ file ];
  Program.check_unwritable "weblog" [ "--generate"; "3" ];
  Program.check_unwritable "weblog" [ "--generate"; "30000" ]

let () =
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "weblog"
    [
      ( "lines",
        [
          test "a line is read or bad" a_line_is_read_or_bad;
          test "absurd sizes add up to the greatest" absurd_sizes_add_up_to_the_greatest;
        ] );
      ( "blocks",
        [ test "they are the input without the long lines" blocks_are_the_input_without_the_long_lines ] );
      ( "pipeline",
        [
          test "all parsers and domains count alike" all_parsers_and_domains_count_alike;
          test "a failing read ends everything" a_failing_read_ends_everything;
          test "slow parsers hold up the reader" slow_parsers_hold_up_the_reader;
        ] );
      ( "program",
        [
          test "an empty file is no request" an_empty_file_is_no_request;
          test "the generated log is always the same" the_generated_log_is_always_the_same;
          test "options make no difference" options_make_no_difference;
          test "noise is bad lines" noise_is_bad_lines;
          test "paths are printable" paths_are_printable;
          test "memory is bounded" memory_is_bounded;
          test "what cannot be read is one line" what_cannot_be_read_is_one_line;
          test "wrong options are refused" wrong_options_are_refused;
          test "an unwritable output is an error" an_unwritable_output_is_an_error;
        ] );
    ]
