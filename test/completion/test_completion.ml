open Weft_completion

let weft = Sys.argv.(1)
let bash_script = "../../bin/completion/weft.bash"
let zsh_script = "../../bin/completion/weft.zsh"
let manual = "../../bin/manual"
let case name promise = Testing.Watchdog.case name promise

(* A program's standard output and error, and how it ends. None: the program does not exist here. *)
let output program arguments =
  let is_there folder = Sys.file_exists (Filename.concat folder program) in
  let folders = String.split_on_char ':' (Option.value (Sys.getenv_opt "PATH") ~default:"") in
  if Filename.is_implicit program && not (List.exists is_there folders) then None
  else
    let { Testing.Child.out; err; status; _ } = Testing.Child.run program arguments in
    Some (out ^ err, status)

let lines = Testing.Text.lines

let pages () =
  let read file = (file, In_channel.with_open_bin (Filename.concat manual file) In_channel.input_all) in
  let names = List.sort compare (Array.to_list (Sys.readdir manual)) in
  List.map read (List.filter (String.ends_with ~suffix:".1") names)

(* {1 The program and its pages} *)

let version () =
  let found = output weft [ "--version" ] in
  Alcotest.(check (option string))
    "version"
    (Some (Sys.getenv "WEFT_VERSION"))
    (Option.map (fun (t, _) -> String.trim t) found)

(* The commands that weft's help lists in the section COMMANDS. *)
let commands () =
  let text, _ = Option.get (output weft [ "--help=plain" ]) in
  let rec section = function
    | "COMMANDS" :: rest -> body rest
    | _ :: rest -> section rest
    | [] -> Alcotest.fail "weft --help has no section COMMANDS"
  and body = function
    | line :: rest when String.starts_with ~prefix:"       " line ->
        (if line.[7] >= 'a' && line.[7] <= 'z' then [ List.hd (String.split_on_char ' ' (String.trim line)) ]
         else [])
        @ body rest
    | "" :: rest -> body rest
    | _ -> []
  in
  section (String.split_on_char '\n' text)

let every_command () =
  let expected =
    "weft" :: "weft-bench-compat" :: "weft-bench-elastic" :: List.map (fun c -> "weft-" ^ c) (commands ())
  in
  let found = List.sort compare (List.map (fun (file, _) -> Filename.chop_suffix file ".1") (pages ())) in
  Alcotest.(check (list string)) "pages (bin/manual/dune lists them)" (List.sort compare expected) found

let well_made () =
  let check (file, text) =
    Alcotest.(check bool)
      (file ^ " is about its command") true
      (String.starts_with
         ~prefix:(".mso an.tmac\n.TH \"" ^ String.uppercase_ascii (Filename.chop_suffix file ".1"))
         text);
    let page = Help_page.parse text in
    Alcotest.(check bool) (file ^ " says what the command does") true (String.length page.about > 10)
  in
  List.iter check (pages ())

let man_shows_them () =
  let check (file, _) =
    match output "man" [ "--warnings=w"; "-l"; "-Tutf8"; "-P"; "cat"; Filename.concat manual file ] with
    | None -> print_endline "left out: no man here"
    | Some (text, status) ->
        Alcotest.(check bool) (file ^ ": man succeeds") true (status = WEXITED 0);
        let complaint =
          List.find_opt (fun l -> String.length l > 6 && String.sub l 0 6 = "troff:") (lines text)
        in
        Alcotest.(check (option string)) (file ^ ": man warns") None complaint
  in
  List.iter check (pages ())

(* {1 Reading pages} *)

let dots = "\u{2026}"

let made_up =
  {|.TH "WEFT-X-Y" 1 "" "Weft 1" "Weft Manual"
.SH NAME
.P
weft\N'45'x\N'45'y \N'45' do it\N'46' Twice
.SH SYNOPSIS
.P
\fBweft x y\fR [\fIOPTION\fR]|}
  ^ dots ^ {| \fIONE\fR [\fITWO\fR]|} ^ dots
  ^ {|
.SH ARGUMENTS
.TP 4
\fIONE\fR (required)
The first\N'46'
.TP 4
\fITWO\fR
More\N'46'
.SH OPTIONS
.TP 4
\fB\N'45'o\fR \fIDIR\fR, \fB\N'45'\N'45'output\fR=\fIDIR\fR (required)
The folder\N'46' It is made\N'46'
.TP 4
\fB\N'45'\N'45'sizes\fR[=\fIN,\N'46'\N'46'\N'46'\fR] (default=\fB1\fR)
Sizes
of it\N'46'
.TP 4
\fB\N'45'q\fR, \fB\N'45'\N'45'quiet\fR
Say nothing\N'46'
.SH EXIT STATUS
.TP 4
0
on success\N'46'
|}

let reading () =
  let page = Help_page.parse made_up in
  let value name is_list : Help_page.value = { name; is_list } in
  let check_options = Alcotest.(check bool) "options" true in
  Alcotest.(check (list string)) "words" [ "x"; "y" ] page.words;
  Alcotest.(check string) "about" "do it" page.about;
  check_options
    (page.options
    = [
        { names = [ "-o"; "--output" ]; value = `Required (value "DIR" false); about = "The folder" };
        { names = [ "--sizes" ]; value = `Optional (value "N" true); about = "Sizes of it" };
        { names = [ "-q"; "--quiet" ]; value = `None; about = "Say nothing" };
      ]);
  Alcotest.(check bool)
    "arguments" true
    (page.arguments
    = [ { value = value "ONE" false; repeats = false }; { value = value "TWO" false; repeats = true } ]);
  Alcotest.check_raises "no page" (Failure "no section NAME") (fun () -> ignore (Help_page.parse "hello"))

(* {1 Bash} *)

let bash_is_here = output "bash" [ "--version" ] <> None

(* The completions that bash would offer for the last of the words, after [setting]. Readline takes = for a
   word of its own. *)
let offered ?(setting = ":") words =
  let script =
    Printf.sprintf "%s; source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _weft; printf '%%s\\n' \"${COMPREPLY[@]}\""
      setting bash_script
      (String.concat " " (List.map Filename.quote (weft :: words)))
      (List.length words)
  in
  match output "bash" [ "--norc"; "--noprofile"; "-c"; script ] with
  | Some (text, WEXITED 0) -> lines text
  | Some (text, _) -> Alcotest.fail ("bash fails: " ^ text)
  | None -> Alcotest.fail "no bash"

let in_bash promise () = if bash_is_here then promise () else print_endline "left out: no bash here"
let check_offers what expected words = Alcotest.(check (list string)) what expected (offered words)

let check_among ?setting what expected words =
  let found = offered ?setting words in
  List.iter (fun e -> Alcotest.(check bool) (Printf.sprintf "%s: %s" what e) true (List.mem e found)) expected

let bash_commands () =
  Alcotest.(check (list string)) "all commands" (commands ()) (List.sort compare (offered [ "" ]));
  check_offers "begun" [ "compare"; "convert" ] [ "co" ];
  check_among "below bench" [ "elastic"; "compat"; "fib"; "sort" ] [ "bench"; "" ];
  check_offers "elastic takes no arguments" [] [ "bench"; "elastic"; "" ];
  check_offers "benchmarks go on after one" [ "fib" ] [ "bench"; "nqueens"; "fi" ];
  check_offers "no command after a benchmark" [] [ "bench"; "nqueens"; "elas" ]

let bash_options () =
  let check (_, text) =
    let page = Help_page.parse text in
    let expected =
      List.concat_map
        (fun (o : Help_page.option_) ->
          let is_long n = String.starts_with ~prefix:"--" n in
          List.map (fun n -> match o.value with `Required _ when is_long n -> n ^ "=" | _ -> n) o.names)
        page.options
    in
    check_offers (String.concat " " page.words) expected (page.words @ [ "-" ])
  in
  List.iter check (pages ());
  check_offers "begun" [ "--google-json=" ] [ "bench"; "--goo" ];
  check_offers "after an option with a value" [ "--quick" ] [ "bench"; "--runs"; "3"; "--qui" ];
  check_offers "after --" [] [ "bench"; "--"; "--qui" ]

let bash_values () =
  check_offers "in one word" [ "--method=par,async" ] [ "bench"; "--method=par,asy" ];
  check_offers "parted by readline" [ "domain-spawn" ] [ "bench"; "--method"; "="; "domain-s" ];
  check_offers "in the next word" [ "svg"; "png"; "pdf" ] [ "plot"; "--format"; "" ];
  check_offers "a second one" [ "svg,png" ] [ "plot"; "--format"; "svg,pn" ];
  check_offers "a folder, after a short option" [ "../../bin/manual" ] [ "plot"; "-o"; "../../bin/man" ];
  check_offers "workloads"
    [ "after_250ms"; "after_1ms"; "after_20ms"; "after_200ms" ]
    [ "bench"; "elastic"; "--workload"; "="; "after" ];
  check_offers "programs of compat"
    [ "loops"; "loops_chunk_4"; "loops_uneven"; "loops_nested" ]
    [ "bench"; "compat"; "--program"; "="; "loops" ];
  check_offers "nothing for a number" [] [ "bench"; "--runs"; "" ];
  check_offers "help" [ "pager"; "plain" ] [ "live"; "--help"; "="; "p" ]

let bash_programs () =
  check_offers "the program's path" [ bash_script ] [ "trace"; "--"; "../../bin/completion/weft.b" ];
  check_offers "the program's arguments" [ zsh_script ]
    [ "trace"; "-o"; "x.json"; "--"; "cat"; "../../bin/completion/weft.z" ];
  check_offers "no options of weft's for it" [] [ "live"; "--"; "cat"; "--ev" ];
  let self = string_of_int (Unix.getpid ()) in
  check_among "process" [ self ] [ "attach"; "" ];
  (* On a system without ps. *)
  if Sys.file_exists "/proc/self" then
    check_among ~setting:"ps() { return 127; }" "process, without ps" [ self ] [ "attach"; "" ]

(* {1 Syntax} *)

let syntax shell script () =
  match output shell [ "-n"; script ] with
  | None -> Printf.printf "left out: no %s here\n" shell
  | Some (text, status) ->
      Alcotest.(check string) "complaints" "" text;
      Alcotest.(check bool) "succeeds" true (status = WEXITED 0)

let () =
  Alcotest.run "completion"
    ~argv:(Array.append [| Sys.argv.(0) |] (Array.sub Sys.argv 2 (Array.length Sys.argv - 2)))
    [
      ( "manual",
        [
          case "weft --version is the version of the package" version;
          case "each command has a page" every_command;
          case "each page has its name and what it is about" well_made;
          case "man shows them without warnings" man_shows_them;
          case "options and arguments are read from a page" reading;
        ] );
      ( "bash",
        [
          case "commands and benchmarks" (in_bash bash_commands);
          case "every option of every command" (in_bash bash_options);
          case "values, one or several" (in_bash bash_values);
          case "programs and processes" (in_bash bash_programs);
          case "syntax" (syntax "bash" bash_script);
        ] );
      ("zsh", [ case "syntax" (syntax "zsh" zsh_script) ]);
    ]
