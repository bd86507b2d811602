open Weft_bench_harness
open Weft_bench_plots
open Testing.Text

let case = Testing.Watchdog.case
let check_true what = Alcotest.(check bool) what true

let hostile =
  [
    "";
    "fib";
    "it's";
    "''; system('false') #";
    "`date`";
    "@macro %s %d $HOME";
    "<script>alert(\"1\")</script>";
    "a&b";
    "line\nbreak\r\tend";
    "back\\slash\\";
    "../../etc/passwd";
    "-rf";
    ".hidden";
    "\xff\xfe not UTF-8 \x00";
    "\xc3\xa9\xe2\x82\xac";
    String.make 500 'x';
  ]

(* {1 Text} *)

(* The text between the outer quotes, in which every inner one is doubled. *)
let unquoted text =
  let n = String.length text in
  if n < 2 || text.[0] <> '\'' || text.[n - 1] <> '\'' then None
  else
    let inner = String.sub text 1 (n - 2) in
    let rec halved i =
      if i >= String.length inner then Some ""
      else if inner.[i] <> '\'' then Option.map (fun rest -> String.make 1 inner.[i] ^ rest) (halved (i + 1))
      else if i + 1 < String.length inner && inner.[i + 1] = '\'' then
        Option.map (fun rest -> "'" ^ rest) (halved (i + 2))
      else None
    in
    halved 0

let names_cannot_leave_their_quotes () =
  List.iter
    (fun name ->
      let written = Text.gnuplot name in
      check_true (String.escaped written) (Option.is_some (unquoted written));
      check_true "no line breaks" (not (String.exists (fun c -> Char.code c < 32) written));
      check_true "UTF-8" (String.is_valid_utf_8 written))
    hostile;
  Alcotest.(check string) "a quote" "'it''s'" (Text.gnuplot "it's");
  Alcotest.(check string) "a tic is a format" "'50 %%'" (Text.gnuplot_tic "50 %")

let text_is_no_html () =
  List.iter
    (fun name ->
      let written = Text.html name in
      let bad = function '<' | '>' | '"' | '\'' -> true | _ -> false in
      check_true (String.escaped written) (not (String.exists bad written));
      check_true "UTF-8" (String.is_valid_utf_8 written))
    hostile;
  Alcotest.(check string)
    "all of them" "&lt;a href=&quot;x&quot;&gt; &amp;amp; &#39;" (Text.html "<a href=\"x\"> &amp; '")

let file_names_stay_in_their_folder () =
  let plain = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '_' | '.' -> true | _ -> false in
  List.iter
    (fun name ->
      let file = Text.file_name name in
      check_true (name ^ ": something") (file <> "");
      check_true (file ^ ": plain") (String.for_all plain file);
      check_true (file ^ ": begins well") (file.[0] <> '.' && file.[0] <> '-');
      check_true (file ^ ": short") (String.length file <= 80);
      check_true (file ^ ": no way up") (not (contains ".." file)))
    hostile;
  Alcotest.(check (list string))
    "distinct" [ "a"; "A-2"; "a-3"; "a-2-2"; "b" ]
    (Text.distinct [ "a"; "A"; "a"; "a-2"; "b" ])

let words_of_commands_are_quoted () =
  let check what expected = Alcotest.(check string) what expected (Text.shell what) in
  check "fib" "fib";
  check "1,2" "1,2";
  check "a b" "'a b'";
  check "it's" {|'it'\''s'|};
  check "" "''";
  check "$(false)" "'$(false)'"

(* {1 Amdahl} *)

let close = Alcotest.(check (float 1e-9))

let the_law_is_found_in_exact_times () =
  let law = { Amdahl.one = 12.; serial = 0.1 } in
  let times domains = List.map (fun p -> (p, Amdahl.seconds law (float_of_int p))) domains in
  List.iter
    (fun domains ->
      let found = Option.get (Amdahl.fit (times domains)) in
      close "serial" 0.1 found.serial;
      close "one" 12. found.one)
    [ [ 1; 2 ]; [ 1; 2; 4; 8 ]; [ 2; 16 ]; [ 1; 1; 2; 2; 3 ] ];
  close "two domains" 6.6 (Amdahl.seconds law 2.)

let a_part_is_never_below_0_or_above_1 () =
  let serial points = (Option.get (Amdahl.fit points)).serial in
  close "more than linear" 0. (serial [ (1, 10.); (2, 4.) ]);
  close "slower on more" 1. (serial [ (1, 10.); (2, 11.); (4, 15.) ]);
  let nothing points = check_true "no fit" (Option.is_none (Amdahl.fit points)) in
  nothing [];
  nothing [ (1, 10.) ];
  nothing [ (2, 10.); (2, 11.) ];
  nothing [ (1, 10.); (2, 0.) ];
  nothing [ (1, 10.); (2, nan) ];
  nothing [ (1, 1e30); (2, 1e-30) ];
  nothing [ (max_int - 1, 10.); (max_int, 11.) ]

(* {1 Axes} *)

let an_axis_holds_its_values () =
  let check scale least greatest =
    let what = Printf.sprintf "%g to %g" least greatest in
    let { Ticks.from; upto; ticks } = Ticks.make scale ~least ~greatest in
    check_true (what ^ ": holds them") (from <= least && greatest <= upto);
    check_true (what ^ ": tics inside")
      (List.for_all (fun (x, _) -> from -. 1e-9 <= x && x <= upto *. (1. +. 1e-9)) ticks);
    check_true (what ^ ": not too many") (List.compare_length_with ticks 11 < 0);
    let labels = List.map snd ticks in
    Alcotest.(check int)
      (what ^ ": labels differ") (List.length ticks)
      (List.length (List.sort_uniq compare labels))
  in
  List.iter
    (fun (least, greatest) ->
      check Ticks.Linear 0. greatest;
      check Ticks.Linear least greatest;
      check Ticks.Logarithmic least greatest)
    [ (1., 1.); (0.001, 0.0012); (3., 17.); (0.5, 900.); (1e-6, 1e9); (99., 101.); (1., 1e15) ];
  check Ticks.Linear 0. 0.;
  match Ticks.make Logarithmic ~least:0. ~greatest:1. with
  | _ -> Alcotest.fail "a logarithm of 0"
  | exception Invalid_argument _ -> ()

(* {1 Histograms} *)

let show = function
  | None -> "none"
  | Some (b : Figure.bucket) -> Printf.sprintf "%s, %g, %g, %s" b.what b.from b.below b.unit_

let a_bucket_is_found_in_its_title () =
  let check b =
    let { Figure.title; value } = Figure.bucket b 7 in
    Alcotest.(check string) title (show (Some b)) (show (Figure.bucket_of_title title));
    close title 7. value
  in
  check { what = "wake"; from = 20.; below = 30.; unit_ = "us" };
  check { what = "first start"; from = 0.; below = 0.1; unit_ = "us" };
  check { what = "batch"; from = 1048576.; below = 2097152.; unit_ = "operations" };
  List.iter
    (fun title -> check_true title (Option.is_none (Figure.bucket_of_title title)))
    [
      "";
      "ns/lock";
      "wake median us";
      "[1, 2) us";
      "a [2, 1) us";
      "a [1, x) us";
      "a [-5, -1) us";
      "a [1, 1e31) us";
      "a [1, 2)";
      "a [1, 2, 3) us";
      ") [";
    ]

let a_count_is_no_time () =
  let better = Alcotest.(check (option bool)) in
  better "a time" (Some true) (Figure.lower_is_better "wake p99 us");
  better "a ratio of shares" (Some true) (Figure.lower_is_better "max/min");
  better "a bucket" None (Figure.lower_is_better "wake [20, 30) us")

let every_delay_is_in_one_bucket () =
  let seconds = Array.init 200 (fun i -> 1.07e-8 *. (1.12 ** float_of_int i)) in
  let buckets =
    List.filter_map
      (fun (f : Figure.t) -> Option.map (fun b -> (b, f.value)) (Figure.bucket_of_title f.title))
      (Figure.distribution ~what:"late" seconds)
  in
  List.iter
    (fun ((b : Figure.bucket), count) ->
      let inside = List.filter (fun s -> b.from <= s *. 1e6 && s *. 1e6 < b.below) (Array.to_list seconds) in
      Alcotest.(check int) (Printf.sprintf "from %g" b.from) (int_of_float count) (List.length inside))
    buckets;
  close "all" 200. (List.fold_left (fun sum (_, n) -> sum +. n) 0. buckets)

let a_bucket_is_empty_where_a_run_lacks_it () =
  let (), sample = Meter.measure (fun () -> ()) in
  let b from n = Figure.bucket { what = "late"; from; below = 2. *. from; unit_ = "us" } n in
  let other = { Figure.title = "late median us"; value = 3. } in
  let row =
    Row.alone
      {
        config = Made.config ();
        samples = [ sample; sample ];
        figures = [ [ other; b 8. 1; b 2. 5 ]; [ other; b 4. 2 ] ];
      }
  in
  Alcotest.(check (list (pair string (list (float 0.)))))
    "all runs"
    [
      ("late median us", [ 3.; 3. ]);
      ("late [2, 4) us", [ 5.; 0. ]);
      ("late [4, 8) us", [ 0.; 2. ]);
      ("late [8, 16) us", [ 1.; 0. ]);
    ]
    (List.map (fun (f : Row.figure) -> (f.title, f.values)) row.figures);
  let table = Table.render [ row ] in
  check_true "the median in the table" (contains "late median us" table);
  check_true "no buckets in the table" (not (contains "[2, 4)" table))

(* {1 Charts} *)

let charts rows = Plotting.charts [ Made.run rows ]
let named part charts = List.filter (fun (chart : Chart.t) -> contains part chart.title) charts
let fib ?cutoff domains method_ seconds = Made.row ~domains ?cutoff "fib" method_ seconds
let sequential = fib 1 "sequential" [ 4.; 4.; 4. ]

let by_domains_has_the_ideal_and_the_law () =
  let rows =
    [ sequential; fib 1 "par" [ 8.; 9.; 8. ]; fib 2 "par" [ 5.; 5.; 6. ]; fib 8 "par" [ 7.; 7.; 7. ] ]
  in
  match named "time by domains" (charts rows) with
  | [ { body = Curves { series = [ { points; _ } ]; references; limit; _ }; caption; command; _ } ] ->
      Alcotest.(check (list (float 1e-9)))
        "places" [ 0.; 1.; 3. ]
        (List.map (fun (p : Chart.point) -> p.at) points);
      Alcotest.(check (list (float 1e-9)))
        "medians in ms" [ 8e3; 5e3; 7e3 ]
        (List.map (fun (p : Chart.point) -> p.value.middle) points);
      Alcotest.(check (list string))
        "lines"
        [ "sequential"; "ideal"; "Amdahl, 25.0 % serial" ]
        (List.map (fun (r : Chart.reference) -> r.label) references);
      Alcotest.(check (list (pair (float 1e-9) (float 1e-6))))
        "as far as there are processors"
        [ (0., 4e3); (1., 2e3); (3., 2e3) ]
        (List.nth references 1).through;
      check_true "the processors" (limit = Some (1., "2 processors"));
      check_true "how it was fitted" (contains "least squares" caption);
      Alcotest.(check string)
        "command" "weft bench fib --size 10 --cutoff default --domains 1,2,8 --runs 3 --json results.json"
        command
  | charts -> Alcotest.failf "%d figures" (List.length charts)

let by_cutoff_ends_with_none () =
  let rows = [ sequential; fib 2 "par" [ 5. ]; fib ~cutoff:9 2 "par" [ 3. ]; fib ~cutoff:4 2 "par" [ 4. ] ] in
  match named "time by cutoff" (charts rows) with
  | [ { body = Curves { x; references; _ }; _ } ] ->
      Alcotest.(check (list string)) "places" [ "4"; "9"; "none" ] (List.map snd x.ticks);
      Alcotest.(check (list string))
        "lines" [ "sequential"; "sequential / 2" ]
        (List.map (fun (r : Chart.reference) -> r.label) references)
  | charts -> Alcotest.failf "%d figures" (List.length charts)

let nothing_is_drawn_of_one_point () =
  Alcotest.(check int) "no sweep" 0 (List.length (charts [ fib 1 "par" [ 5. ] ]));
  let paced = { (fib 1 "par" [ 5. ]) with paced = true } in
  Alcotest.(check int) "times that pauses set" 0 (List.length (charts [ paced; { paced with domains = 2 } ]))

let overheads_are_of_one_fork () =
  let row = Made.row ~ns_per_fork:20. "fib" "par" [ 2.; 1.; 4. ] in
  match named "time per fork" (charts [ row ]) with
  | [ { body = Bars { bars = [ { value; _ } ]; _ }; _ } ] ->
      close "median" 20. value.middle;
      close "least" 10. value.least;
      close "greatest" 40. value.greatest
  | charts -> Alcotest.failf "%d figures" (List.length charts)

let script (body : Chart.body) =
  Script.draw Svg ~file:"x.svg" { name = "x"; bench = "x"; title = "x"; caption = "x"; command = "x"; body }

let a_bar_begins_at_0 () =
  let bar middle = { Chart.label = "x"; colour = 0; value = { middle; least = middle; greatest = middle } } in
  let drawn values = script (Bars { value = "ns"; bars = List.map bar values; mark = None }) in
  let check what ~bars values =
    let text = drawn values in
    Alcotest.(check bool) (what ^ ": bars") bars (contains "boxxyerror" text);
    Alcotest.(check bool) (what ^ ": said") (not bars) (contains "ns (logarithmic)" text)
  in
  check "near each other" ~bars:true [ 1.; 10. ];
  check "far apart" ~bars:false [ 1.; 100. ]

let series_of_one_colour_differ () =
  let n = Array.length Palette.series in
  let looks colour = ((Palette.of_series colour).light, Palette.dash_type colour) in
  let all = List.init (3 * n) looks in
  Alcotest.(check int) "all differ" (3 * n) (List.length (List.sort_uniq compare all));
  let point at = { Chart.at; value = { middle = 1.; least = 1.; greatest = 1. } } in
  let series colour = { Chart.name = "s"; colour; points = [ point 0.; point 1. ] } in
  let axis = { Chart.title = "x"; ticks = [] } in
  let text =
    script (Curves { x = axis; y = "y"; series = [ series 0; series n ]; references = []; limit = None })
  in
  List.iter
    (fun part -> check_true part (contains part text))
    [ "dashtype 1 linewidth 1.6"; "dashtype (9,4) linewidth 1.6" ]

let histograms_are_of_all_runs () =
  let figures = [ ("wake [20, 30) us", [ 3.; 0. ]); ("wake [50, 70) us", [ 0.; 1. ]) ] in
  match named "wake" (charts [ Made.row ~figures "wake" "submit" [ 1.; 1. ] ]) with
  | [ { body = Histogram { steps = [ { cells; _ } ]; _ }; _ } ] ->
      Alcotest.(check (list (float 1e-9)))
        "shares" [ 75.; 25. ]
        (List.map (fun (c : Chart.cell) -> c.share) cells)
  | charts -> Alcotest.failf "%d figures" (List.length charts)

let efficiency_is_by_the_size_of_tasks () =
  let figures =
    [ ("METG ns", [ 50. ]); ("% 1.25us", [ 90. ]); ("% 10ns", [ 20.; 40.; 30. ]); ("% in place", [ 5. ]) ]
  in
  match named "efficiency" (charts [ Made.row ~figures "metg" "par" [ 1.; 1.; 1. ] ]) with
  | [ { body = Curves { series = [ { points; _ } ]; _ }; _ } ] ->
      Alcotest.(check (list (pair (float 1e-9) (float 1e-9))))
        "places and medians"
        [ (1., 30.); (Float.log10 1250., 90.) ]
        (List.map (fun (p : Chart.point) -> (p.at, p.value.middle)) points)
  | charts -> Alcotest.failf "%d figures" (List.length charts)

let no_law_speaks_of_those_who_wait () =
  let row domains = Made.row ~domains ~figures:[ ("messages/s", [ 5. ]) ] "channel" "fibers" [ 1. ] in
  match named "time by domains" (charts [ row 1; row 2 ]) with
  | [ { body = Curves { references; _ }; _ } ] -> Alcotest.(check int) "no lines" 0 (List.length references)
  | charts -> Alcotest.failf "%d figures" (List.length charts)

let tests =
  [
    case "names cannot leave their quotes" names_cannot_leave_their_quotes;
    case "text is no HTML" text_is_no_html;
    case "file names stay in their folder" file_names_stay_in_their_folder;
    case "words of commands are quoted" words_of_commands_are_quoted;
    case "Amdahl's law is found in exact times" the_law_is_found_in_exact_times;
    case "the serial part is never below 0 or above 1" a_part_is_never_below_0_or_above_1;
    case "an axis holds its values" an_axis_holds_its_values;
    case "a bucket is found in its title" a_bucket_is_found_in_its_title;
    case "a count is no time" a_count_is_no_time;
    case "efficiency is by the size of tasks" efficiency_is_by_the_size_of_tasks;
    case "no law speaks of those that wait" no_law_speaks_of_those_who_wait;
    case "every delay is in one bucket" every_delay_is_in_one_bucket;
    case "a bucket is empty where a run lacks it" a_bucket_is_empty_where_a_run_lacks_it;
    case "a figure by domains has the ideal and Amdahl's law" by_domains_has_the_ideal_and_the_law;
    case "a figure by cutoff ends with none" by_cutoff_ends_with_none;
    case "nothing is drawn of one point" nothing_is_drawn_of_one_point;
    case "overheads are of one fork" overheads_are_of_one_fork;
    case "a bar begins at 0" a_bar_begins_at_0;
    case "series of one colour differ" series_of_one_colour_differ;
    case "histograms are of all runs" histograms_are_of_all_runs;
  ]
