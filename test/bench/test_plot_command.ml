open Weft_bench_plots
open Testing.Text

let case = Testing.Watchdog.case
let in_ = Filename.concat
let write path text = Out_channel.with_open_bin path (fun c -> Out_channel.output_string c text)
let listing folder = List.sort compare (Array.to_list (Sys.readdir folder))
let strings = Alcotest.(check (list string))
let check_true what = Alcotest.(check bool) what true
let plot arguments = Toy.command Weft_bench.Plot_command.cmd arguments

(* {1 gnuplots} *)

let with_path path f =
  let before = Sys.getenv "PATH" in
  Unix.putenv "PATH" path;
  Fun.protect ~finally:(fun () -> Unix.putenv "PATH" before) f

let script folder text =
  let program = in_ folder "gnuplot" in
  write program text;
  Unix.chmod program 0o755

(* [with_gnuplot answer drawing f]: in [f] the only program in the path is a gnuplot that answers with
   [answer] when it is asked, and draws by the shell commands [drawing]. *)
let with_gnuplot ?(answer = "echo 5.4; echo 'svg pngcairo pdfcairo'") drawing f =
  Toy.in_folder @@ fun folder ->
  script folder (Printf.sprintf "#!/bin/sh\nif [ \"$2\" = -e ]; then %s; else %s; fi\n" answer drawing);
  with_path folder f

(* Writes a picture for every requested file. *)
let draws =
  "while read -r a b c; do case \"$a $b\" in 'set output') f=${c#?}; f=${f%?}; echo '<svg viewBox=\"0 0 460 \
   330\"><g id=\"gnuplot_canvas\"></g></svg>' > \"$f\";; esac; done"

let real_gnuplot =
  lazy
    (List.exists
       (fun folder -> Sys.file_exists (in_ folder "gnuplot"))
       (String.split_on_char ':' (Sys.getenv "PATH")))

let rows ?(bench = "fib") () =
  let row ?figures domains method_ seconds = Made.row ?figures ~domains bench method_ seconds in
  [
    row 1 "sequential" [ 1.; 1.1; 1. ];
    row 1 "par" [ 2.; 2.; 2.5 ] ~figures:[ ("late [20, 30) us", [ 1.; 2.; 3. ]) ];
    row 2 "par" [ 1.; 1.; 1.5 ];
  ]

(* [refused arguments parts]: exit code 2, and one line that contains all of [parts]. *)
let refused what { Toy.code; out; err } parts =
  Alcotest.(check int) (what ^ ": exit code") 2 code;
  Alcotest.(check string) (what ^ ": output") "" out;
  match lines err with
  | [ line ] ->
      check_true (what ^ ": " ^ line) (String.starts_with ~prefix:"weft plot: " line);
      List.iter
        (fun part -> check_true (Printf.sprintf "%s: %S in %S" what part line) (contains part line))
        parts
  | lines -> Alcotest.failf "%s: %d lines: %s" what (List.length lines) err

(* {1 Refusals} *)

let without_gnuplot_nothing_is_written () =
  Toy.in_folder @@ fun folder ->
  let file = Made.file folder "a.json" (rows ()) in
  let result what parts = refused what (plot [ file; "-o"; in_ folder "out" ]) parts in
  Toy.in_folder (fun empty ->
      with_path empty (fun () -> result "none" [ "no gnuplot"; "apt-get install gnuplot-nox" ]));
  with_path "" (fun () -> result "no path" [ "no gnuplot" ]);
  with_gnuplot "exit 0" ~answer:"echo 4.6; echo svg" (fun () -> result "old" [ "4.6"; "5.0" ]);
  with_gnuplot "exit 0" ~answer:"echo 5.4; echo dumb" (fun () -> result "no SVG" [ "cannot write svg" ]);
  with_gnuplot "exit 0" ~answer:"exit 3" (fun () -> result "broken" [ "exit code 3" ]);
  with_gnuplot "exit 0" ~answer:"echo hello" (fun () -> result "another program" [ "version" ]);
  with_gnuplot "echo 'line 7: oops' >&2; exit 1" (fun () ->
      result "fails" [ "gnuplot failed"; "line 7: oops" ]);
  with_gnuplot "exit 0" (fun () -> result "draws nothing" [ "has not drawn" ]);
  with_gnuplot
    (String.concat "" [ draws; "; exit 1" ])
    (fun () -> result "draws and fails" [ "gnuplot failed" ]);
  strings "nothing is left" [ "a.json" ] (listing folder)

let what_is_no_result_is_refused () =
  Toy.in_folder @@ fun folder ->
  with_gnuplot draws @@ fun () ->
  let good = Made.file folder "good.json" (rows ()) in
  let whole = read good in
  let bad name text parts =
    let file = in_ folder name in
    write file text;
    refused name (plot [ good; file; "-o"; in_ folder "out" ]) (name :: parts)
  in
  bad "truncated.json" (String.sub whole 0 (String.length whole / 2)) [];
  bad "empty.json" "" [];
  bad "foreign.json" "{\"benchmarks\": []}" [];
  bad "list.json" "[1, 2]" [];
  bad "binary.json" "\x00\xff\x00" [];
  refused "missing" (plot [ in_ folder "missing.json"; "-o"; in_ folder "out" ]) [ "missing.json" ];
  refused "folder" (plot [ folder; "-o"; in_ folder "out" ]) [ folder ];
  let stopped =
    List.map
      (fun row ->
        {
          row with
          Weft_bench_harness.Row.figures = [ { title = "over limit"; values = [ 1. ]; middle = 1. } ];
        })
      (rows ())
  in
  let file = Made.file folder "stopped.json" stopped in
  refused "stopped" (plot [ file; "-o"; in_ folder "out" ]) [ "stopped.json" ];
  check_true "nothing is written" (not (Sys.file_exists (in_ folder "out")))

let a_folder_that_cannot_be_written_is_refused () =
  Toy.in_folder @@ fun folder ->
  with_gnuplot draws @@ fun () ->
  let file = Made.file folder "a.json" (rows ()) in
  let bad target parts = refused target (plot [ file; "-o"; target ]) parts in
  bad file [ "it is no folder" ];
  bad (in_ folder "missing/out") [ "No such file" ];
  bad (in_ file "out") [ "Not a directory" ];
  bad "" [ "empty" ];
  if Sys.file_exists "/proc/self" then bad "/proc/self" [ "/proc/self" ];
  Unix.symlink "nowhere" (in_ folder "dangling");
  bad (in_ folder "dangling") [ "dangling" ];
  Sys.remove (in_ folder "dangling");
  strings "nothing is left" [ "a.json" ] (listing folder)

let usage_is_checked () =
  List.iter
    (fun arguments ->
      let { Toy.code; err; _ } = plot arguments in
      Alcotest.(check int) (String.concat " " arguments) 2 code;
      check_true "a message" (err <> ""))
    [
      [];
      [ "a.json" ];
      [ "-o"; "x" ];
      [ "a.json"; "-o"; "x"; "--format"; "gif" ];
      [ "a.json"; "-o"; "x"; "--format"; "svg,svg" ];
    ]

(* {1 The folder} *)

let only_its_own_files_are_replaced () =
  Toy.in_folder @@ fun folder ->
  with_gnuplot draws @@ fun () ->
  let out = in_ folder "out" in
  let first = Made.file folder "first.json" (rows ())
  and second = Made.file folder "second.json" (rows ~bench:"other" ()) in
  let made arguments =
    let { Toy.code; err; _ } = plot (arguments @ [ "-o"; out ]) in
    Alcotest.(check string) "no message" "" err;
    Alcotest.(check int) "exit code" 0 code;
    listing out
  in
  let before = made [ first ] in
  check_true "a figure" (List.mem "fib-10-no-cutoff-by-domains.svg" before);
  check_true "the report" (List.mem "report.html" before);
  write (in_ out "notes.txt") "mine";
  write (in_ out "report.html") "changed";
  let after = made [ second; "--format"; "pdf" ] in
  check_true "the old figure has gone" (not (List.exists (contains "fib") after));
  check_true "a new one" (List.mem "other-10-no-cutoff-by-domains.pdf" after);
  check_true "the report is new" (contains "other-10-no-cutoff-by-domains.pdf" (read (in_ out "report.html")));
  Alcotest.(check string) "others are left alone" "mine" (read (in_ out "notes.txt"));
  strings "all that is there is listed"
    (List.sort compare ("notes.txt" :: Folder.list_name :: List.tl (lines (read (in_ out Folder.list_name)))))
    after

let files_of_others_are_not_overwritten () =
  Toy.in_folder @@ fun folder ->
  with_gnuplot draws @@ fun () ->
  let file = Made.file folder "a.json" (rows ()) in
  let out = in_ folder "out" in
  List.iter
    (fun name ->
      Sys.mkdir out 0o755;
      write (in_ out name) "mine";
      refused name (plot [ file; "-o"; out ]) [ name; "already" ];
      strings (name ^ ": alone") [ name ] (listing out);
      Alcotest.(check string) (name ^ ": as it was") "mine" (read (in_ out name));
      Sys.remove (in_ out name);
      Sys.rmdir out)
    [ "report.html"; "fib-10-no-cutoff-by-domains.svg"; Folder.list_name ]

let a_failure_leaves_the_folder_as_it_was () =
  Toy.in_folder @@ fun folder ->
  let file = Made.file folder "a.json" (rows ()) and out = in_ folder "out" in
  with_gnuplot draws (fun () -> Alcotest.(check int) "made" 0 (plot [ file; "-o"; out ]).code);
  let contents () = List.map (fun name -> (name, read (in_ out name))) (listing out) in
  let before = contents () in
  let other = Made.file folder "b.json" (rows ~bench:"other" ()) in
  with_gnuplot "exit 1" (fun () -> refused "fails" (plot [ other; "-o"; out ]) [ "gnuplot failed" ]);
  Alcotest.(check (list (pair string string))) "as it was" before (contents ())

let a_list_does_not_reach_out_of_its_folder () =
  Toy.in_folder @@ fun folder ->
  with_gnuplot draws @@ fun () ->
  let file = Made.file folder "a.json" (rows ()) and out = in_ folder "out" in
  let make () = Alcotest.(check int) "made" 0 (plot [ file; "-o"; out ]).code in
  make ();
  write (in_ folder "precious") "mine";
  let list = in_ out Folder.list_name in
  write list (read list ^ Printf.sprintf "../precious\n%s\n.\n..\n" (in_ folder "precious"));
  make ();
  Alcotest.(check string) "it is there" "mine" (read (in_ folder "precious"))

(* {1 With the real gnuplot} *)

let drawn_by_the_real_one () = if not (Lazy.force real_gnuplot) then Alcotest.skip ()
let hostile = "<script>alert('x')</script> `date` @m %d \"q\" \\ ../../x\n$(false)'"

let figures_are_drawn () =
  drawn_by_the_real_one ();
  Toy.in_folder @@ fun folder ->
  let file = Made.file folder "a.json" (rows ()) and out = in_ folder "out" in
  let { Toy.code; err; out = said } = plot [ file; "-o"; out; "--format"; "svg,png,pdf" ] in
  Alcotest.(check string) "no message" "" err;
  Alcotest.(check int) "exit code" 0 code;
  check_true said (contains "report.html: 4 figures; of 86 targets" said);
  let begins name start = check_true name (contains start (String.sub (read (in_ out name)) 0 200)) in
  begins "fib-10-no-cutoff-by-domains.svg" "<svg";
  begins "fib-10-no-cutoff-by-domains.png" "\x89PNG\r\n";
  begins "fib-10-no-cutoff-by-domains.pdf" "%PDF-";
  let page = read (in_ out "report.html") in
  List.iter
    (fun part -> check_true part (contains part page))
    [
      "fib 10, no cutoff: time by domains";
      "sequential";
      "ideal";
      "<span>--size</span> <span>10</span>";
      "plain OCaml";
      "not met";
      "not measured";
      "prefers-color-scheme: dark";
      "var(--blue)";
      "a.json";
    ]

let a_page_is_complete_and_tame () =
  drawn_by_the_real_one ();
  Toy.in_folder @@ fun folder ->
  let nasty =
    List.map
      (fun r -> { r with Weft_bench_harness.Row.method_ = r.Weft_bench_harness.Row.method_ ^ "'<b>`" })
      (rows ~bench:"<b>&'" ())
  in
  let charts = Plotting.charts [ { (Made.run (rows ~bench:hostile () @ nasty)) with source = hostile } ] in
  check_true "figures" (List.compare_length_with charts 4 > 0);
  let gnuplot = Result.get_ok (Gnuplot.find [ Svg ]) in
  let named = List.map (fun (c : Chart.t) -> (c.name ^ ".svg", Script.Svg, c)) charts in
  (match Gnuplot.draw gnuplot ~folder named with Ok () -> () | Error e -> Alcotest.fail e);
  let figure i (name, _, chart) =
    let picture =
      Result.get_ok (Svg.inline ~prefix:(Printf.sprintf "f%d-" i) ~label:hostile (read (in_ folder name)))
    in
    { Page.chart; picture; files = [ name ] }
  in
  let page =
    Page.render
      ~runs:[ { (Made.run (rows ~bench:hostile ())) with source = hostile } ]
      ~judged:[] ~figures:(List.mapi figure named)
  in
  let absent part = check_true ("no " ^ part) (not (contains part page)) in
  List.iter absent [ "<script"; "<b>"; "src="; "@import"; "url(http"; "<link"; "rgb(" ];
  let rec ids from =
    match from with
    | word :: rest when String.starts_with ~prefix:"id=" word -> word :: ids rest
    | _ :: rest -> ids rest
    | [] -> []
  in
  let ids = ids (String.split_on_char ' ' (String.map (function '\n' | '>' -> ' ' | c -> c) page)) in
  Alcotest.(check int) "names are there once" (List.length ids) (List.length (List.sort_uniq compare ids))

let what_all_files_share_is_said_once () =
  let run ~rounds source =
    { (Made.run ~source (rows ())) with header = { (Made.header ()) with runs = rounds } }
  in
  let page = Page.render ~runs:[ run ~rounds:5 "a.json"; run ~rounds:3 "b.json" ] ~judged:[] ~figures:[] in
  let has part = check_true part (contains part page) in
  has "<td>OCaml</td><td colspan=\"2\">";
  has "<td>rounds</td><td>5, and one before them to warm up, interleaved</td><td>3, and";
  let alone = Page.render ~runs:[ run ~rounds:5 "a.json" ] ~judged:[] ~figures:[] in
  check_true "one file" (not (contains "colspan" alone))

let what_is_doubtful_says_of_which_file () =
  let run ~rounds source =
    { (Made.run ~source (rows ())) with header = { (Made.header ()) with runs = rounds } }
  in
  let short = "A short run, of few rounds or small sizes" in
  let has part runs = check_true part (contains part (Page.render ~runs ~judged:[] ~figures:[])) in
  has ("<p>deep.json: " ^ short) [ run ~rounds:5 "suites.json"; run ~rounds:1 "deep.json" ];
  has ("<p>" ^ short) [ run ~rounds:1 "suites.json"; run ~rounds:1 "deep.json" ]

let tests =
  [
    case "without a working gnuplot nothing is written" without_gnuplot_nothing_is_written;
    case "what is no result of weft bench is refused" what_is_no_result_is_refused;
    case "a folder that cannot be written is refused" a_folder_that_cannot_be_written_is_refused;
    case "usage is checked" usage_is_checked;
    case "only its own files are replaced" only_its_own_files_are_replaced;
    case "files of others are not overwritten" files_of_others_are_not_overwritten;
    case "a failure leaves the folder as it was" a_failure_leaves_the_folder_as_it_was;
    case "a list does not reach out of its folder" a_list_does_not_reach_out_of_its_folder;
    case "figures are drawn" figures_are_drawn;
    case "a page is complete and tame" a_page_is_complete_and_tame;
    case "what all files share is said once" what_all_files_share_is_said_once;
    case "what is doubtful says of which file" what_is_doubtful_says_of_which_file;
  ]
