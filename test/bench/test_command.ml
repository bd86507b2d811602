open Testing.Text

let write path text = Out_channel.with_open_bin path (fun c -> Out_channel.output_string c text)
let check_code = Alcotest.(check int)

(* In the dev profile the command warns that its times are no benchmark figures. *)
let without_profile_warning err = List.filter (fun line -> not (contains "dev profile" line)) (lines err)

(* {1 Results} *)

let a_wrong_result_is_an_error_and_never_a_time () =
  Toy.in_folder @@ fun folder ->
  let file = Filename.concat folder "out.json" in
  write file "before";
  let answer (p : Weft_bench_harness.Benchmark.params) = if p.domains = 3 then 1 else p.size in
  let { Toy.code; out; err } =
    Toy.bench
      [ Toy.benchmark ~answer () ]
      [ "--domains"; "1,3"; "--cutoff"; "5"; "--runs"; "1"; "--json"; file ]
  in
  check_code "exit code" 1 code;
  Alcotest.(check string) "no table" "" out;
  Alcotest.(check (list string))
    "message"
    [ "weft bench: toy 7, cutoff 5, twin, 3 domains: wrong result: expected 7, got 1" ]
    (without_profile_warning err);
  Alcotest.(check string) "the file is as before" "before" (read file);
  Alcotest.(check (array string)) "nothing beside it" [| "out.json" |] (Sys.readdir folder)

let an_exception_is_an_error () =
  let { Toy.code; out; err } =
    Toy.bench [ Toy.benchmark ~answer:(fun _ -> failwith "broken") () ] [ "--runs"; "1" ]
  in
  check_code "exit code" 1 code;
  Alcotest.(check string) "no table" "" out;
  check_contains "message" ~part:"broken" err;
  Alcotest.(check int) "one line" 1 (List.length (without_profile_warning err))

(* {1 Usage} *)

let bad_values_are_one_clear_message () =
  let bad arguments parts =
    let { Toy.code; out; err } = Toy.bench [ Toy.benchmark (); Toy.benchmark ~name:"other" () ] arguments in
    let what = String.concat " " arguments in
    check_code what 2 code;
    Alcotest.(check string) what "" out;
    Alcotest.(check int) (what ^ ": nothing ran") 0 (List.length (Toy.ran ()));
    List.iter (fun part -> check_contains what ~part (Toy.message err)) parts
  in
  bad [ "--domains"; "0" ] [ "--domains"; "'0'"; "from 1 to 128" ];
  bad [ "--domains"; "129" ] [ "--domains"; "'129'" ];
  bad [ "--domains"; "1,2,1" ] [ "--domains"; "'1' is given twice" ];
  bad [ "--domains"; "1,,2" ] [ "--domains"; "''" ];
  bad [ "--runs"; "x" ] [ "--runs"; "'x'" ];
  bad [ "--runs"; "0" ] [ "--runs"; "'0'"; "at least 1" ];
  bad [ "--cutoff"; "0" ] [ "--cutoff"; "'0'"; "none" ];
  bad [ "--cutoff"; "none,none" ] [ "--cutoff"; "'none' is given twice" ];
  bad [ "--cutoff"; "default,4,none" ] [ "--cutoff"; "'default' and 'none' are the same" ];
  bad [ "--cutoff"; "4,04" ] [ "--cutoff"; "'4' and '04' are the same" ];
  bad [ "--cutoff"; "all" ] [ "--cutoff"; "'all'"; "'default', 'none' or a number from 1" ];
  bad [ "--size"; "101" ] [ "--size"; "toy"; "0 to 100"; "101" ];
  bad [ "--size=-1" ] [ "--size"; "'-1'" ];
  bad [ "--method"; "thrice" ] [ "--method"; "'thrice'"; "--list" ];
  bad [ "--method"; "twin,twin" ] [ "--method"; "'twin' is given twice" ];
  bad [ "nothing" ] [ "'nothing'"; "--list" ];
  bad [ "toy"; "toy" ] [ "'toy' is given twice" ]

let a_choice_that_leaves_nothing_to_run_is_an_error () =
  let { Toy.code; err; _ } =
    Toy.bench Weft_bench_suites.Suites.all [ "fib"; "--method"; "domain-spawn"; "--cutoff"; "none" ]
  in
  check_code "exit code" 2 code;
  check_contains "message" ~part:"fib: nothing to run" err

let the_list_names_every_benchmark_and_method () =
  let { Toy.code; out; _ } = Toy.bench Weft_bench_suites.Suites.all [ "--list" ] in
  check_code "exit code" 0 code;
  List.iter
    (fun part -> check_contains "list" ~part out)
    ([
       "cutoff: from this index";
       "cutoff: the chunk size";
       "default: 40 with cutoff 20, 36 with no cutoff\n";
       "quick: 32 with cutoff 20, 28 with no cutoff\n";
       "default: 500, 1024\n";
       "sweep: sizes 24, 28, 32, 36, 40; cutoffs 5, 10, 15, 20, 25, 30\n";
       "default: 2000000\n";
       "\n\
        Groups of benchmarks\n\
        short_loops_gaps: short_loops_gaps_10us, short_loops_gaps_100us, short_loops_gaps_1ms, \
        short_loops_gaps_10ms\n\
        uts: uts_t1, uts_t3\n\
        promises: spawn_await, spawn_await_many\n\
        sort: sort_ints, sort_floats, sort_strings, sort_sorted, sort_reversed, sort_equal\n\
        arrays: arrays_integer_sort, arrays_kth_smallest, arrays_pack_index, arrays_scan_inplace, \
        arrays_write_min, arrays_merge_short, arrays_short_searches, arrays_counted_searches\n\
        keys: keys_words, keys_groups_few, keys_groups_many, keys_buckets, keys_independent_set\n\
        book: book_merge_sort, book_quicksort, book_quickhull, book_breadth_first, book_independent_set, \
        book_boruvka, book_suffix_array, book_nearest_neighbours, book_fft, book_word_count, \
        book_sparse_matrix, book_common_subsequence, book_sieve, book_alpha_beta, book_satisfiability, \
        book_ray_casting, book_mandelbrot\n\
        channel: channel_1_1_rendezvous, channel_1_1_bounded_1, channel_1_1_bounded_64, \
        channel_1_1_unbounded, channel_n_n_rendezvous, channel_n_n_bounded_1, channel_n_n_bounded_64, \
        channel_n_n_unbounded\n\
        mutex: mutex_uncontended, mutex_contended, mutex_waiting, mutex_section_0, mutex_section_100ns, \
        mutex_section_1us, mutex_section_10us\n\
        ping_pong: ping_pong_channel, ping_pong_promise, ping_pong_yield\n\
        timers: timers_timeout, timers_cancelled, timers_sleep, timers_late\n\
        timers_busy: timers_busy_awaits, timers_busy_forks, timers_busy_loops, timers_busy_batches, \
        timers_busy_blocking, timers_busy_sorts, timers_busy_semaphores, timers_busy_channels\n\
        ready: ready_forks, ready_loops, ready_sorts, ready_batches, ready_semaphores, ready_channels\n\
        fairness: fairness_10, fairness_100\n\
        select: select_ready, select_waiting\n\
        all: every benchmark, and the cases of elastic\n";
     ]
    @ List.map
        (fun name -> "\n" ^ name ^ ": ")
        [
          "sequential";
          "best_sequential";
          "book";
          "by_hand";
          "par";
          "async";
          "domain-spawn";
          "in-place";
          "loop";
          "blocks";
          "array";
          "fibers";
          "select";
          "submit";
          "scope-async";
          "pool-async";
          "outside-async";
          "victim-forks";
          "victim-allocates";
          "victim-loops";
          "victim-c";
          "threads";
          "stdlib";
          "event";
          "effects";
        ]
    @ List.map
        (fun (b : Weft_bench_harness.Benchmark.t) -> Printf.sprintf "%s: %s\n" b.name b.doc)
        Weft_bench_suites.Suites.all)

(* {1 Groups} *)

let which_ran () =
  let ran = Toy.ran () in
  List.sort_uniq String.compare (List.map (fun (event : Toy.event) -> event.benchmark) ran)

let a_group_stands_for_its_benchmarks () =
  let toys =
    [ Toy.benchmark (); Toy.benchmark ~name:"a" ~group:"ab" (); Toy.benchmark ~name:"b" ~group:"ab" () ]
  in
  let check what expected arguments =
    let { Toy.code; _ } = Toy.bench toys ([ "--runs"; "1" ] @ arguments) in
    check_code what 0 code;
    Alcotest.(check (list string)) what expected (which_ran ())
  in
  check "the group" [ "a"; "b" ] [ "ab" ];
  check "the group and another" [ "a"; "b"; "toy" ] [ "toy"; "ab" ];
  check "one of the group" [ "b" ] [ "b" ];
  check "all" [ "a"; "b"; "toy" ] [];
  let { Toy.code; err; _ } = Toy.bench toys [ "ab"; "a" ] in
  check_code "twice" 2 code;
  check_contains "twice" ~part:"'a' is given twice" err

let what_is_on_request_runs_only_when_named () =
  let usual = [ Toy.benchmark ~name:"usual" () ]
  and on_request = [ Toy.benchmark ~name:"rare" ~group:"rares" () ] in
  let check what expected arguments =
    let { Toy.code; _ } = Toy.bench ~on_request usual ([ "--runs"; "1" ] @ arguments) in
    check_code what 0 code;
    Alcotest.(check (list string)) what expected (which_ran ())
  in
  check "nothing" [ "usual" ] [];
  check "the benchmark" [ "rare" ] [ "rare" ];
  check "its group and another" [ "rare"; "usual" ] [ "rares"; "usual" ];
  let { Toy.out; _ } = Toy.bench ~on_request usual [ "--list" ] in
  check_contains "the list" ~part:"rares: rare" out

let a_group_of_large_ones_runs_when_named () =
  let large = [ Toy.benchmark ~name:"a" ~group:"long" (); Toy.benchmark ~name:"c" ~group:"ab" () ]
  and usual = [ Toy.benchmark ~name:"b" ~group:"ab" () ] in
  let check what expected arguments =
    let { Toy.code; _ } = Toy.bench ~large usual ([ "--runs"; "1" ] @ arguments) in
    check_code what 0 code;
    Alcotest.(check (list string)) what expected (which_ran ())
  in
  check "all" [ "b" ] [ "all" ];
  check "their group" [ "a" ] [ "long" ];
  check "a group of both" [ "b" ] [ "ab" ];
  check "with --large" [ "a"; "b"; "c" ] [ "all"; "--large" ]

(* {1 Cutoffs} *)

let headings arguments benchmark =
  let { Toy.code; out; _ } = Toy.bench [ benchmark ] ([ "--runs"; "1"; "--domains"; "1" ] @ arguments) in
  check_code "exit code" 0 code;
  List.filter (String.starts_with ~prefix:"toy") (lines out)

let headings_say_what_the_cutoff_is () =
  let check what expected grain arguments =
    Alcotest.(check (list string)) what expected (headings arguments (Toy.benchmark ~grain ()))
  in
  let fork_join : Weft_bench_harness.Benchmark.grain = Cutoff ""
  and loop : Weft_bench_harness.Benchmark.grain = Chunk "" in
  check "fork-join, its own" [ "toy 7, cutoff 3"; "toy 7, no cutoff" ] fork_join [];
  check "fork-join, default" [ "toy 7, no cutoff"; "toy 7, cutoff 4" ] fork_join [ "--cutoff"; "default,4" ];
  check "loop, its own" [ "toy 7, default" ] loop [];
  check "loop, default" [ "toy 7, default"; "toy 7, chunk 4" ] loop [ "--cutoff"; "default,4" ];
  check "loop, none" [ "toy 7, chunk 1"; "toy 7, default" ] loop [ "--cutoff"; "1,none" ];
  check "neither" [ "toy 7" ] Fixed [ "--cutoff"; "default,4" ]

let a_benchmark_without_cutoff_takes_none () =
  let { Toy.code; err; _ } = Toy.bench [ Toy.benchmark ~grain:Fixed () ] [ "--cutoff"; "1,4" ] in
  check_code "exit code" 2 code;
  check_contains "message" ~part:"--cutoff" err;
  check_contains "message" ~part:"toy" err;
  Alcotest.(check int) "nothing ran" 0 (List.length (Toy.ran ()))

(* {1 JSON} *)

open Yojson.Safe.Util

let is_string = function `String _ -> true | _ -> false
let is_int = function `Int _ -> true | _ -> false
let is_number = function `Int _ | `Float _ -> true | _ -> false
let nullable is json = json = `Null || is json

let check_object what fields json =
  let check_field (name, is) =
    Alcotest.(check bool) (Printf.sprintf "%s: %s" what name) true (is (member name json))
  in
  List.iter check_field fields;
  let sorted = List.sort String.compare in
  Alcotest.(check (list string)) (what ^ ": keys") (sorted (List.map fst fields)) (sorted (keys json))

let is_list = function `List _ -> true | _ -> false
let is_object = function `Assoc _ -> true | _ -> false

let check_header header =
  check_object "header"
    [
      ("schema", ( = ) (`Int 2));
      ("kind", ( = ) (`String "bench"));
      ("weft", is_string);
      ("date", is_string);
      ("command", is_list);
      ("runs", is_int);
      ("warm_up", ( = ) (`Bool true));
      ("runs_asked", is_int);
      ("interrupted", ( = ) (`Bool false));
      ("failed", ( = ) `Null);
      ("machine", is_object);
      ("compiler", is_object);
      ("minor_heap_words", is_int);
      ("environment", is_object);
      ("default_domains", is_int);
      ("fence", is_string);
      ("stolen_share", nullable is_number);
      ("load_before", nullable is_number);
      ("load_after", nullable is_number);
      ("missing", function `List _ -> true | _ -> false);
      ("versions", is_object);
    ]
    header;
  check_object "machine"
    [
      ("model", nullable is_string);
      ("processors", nullable is_int);
      ("affinity", nullable is_int);
      ("quota", nullable is_number);
      ("kernel", nullable is_string);
      ("hypervisor", nullable (function `Bool _ -> true | _ -> false));
    ]
    (member "machine" header);
  check_object "compiler"
    [
      ("version", is_string);
      ("flambda", function `Bool _ -> true | _ -> false);
      ("architecture", is_string);
      ("profile", is_string);
      ("flags", is_string);
    ]
    (member "compiler" header)

let check_row ~runs row =
  check_object "row"
    [
      ("bench", is_string);
      ("grain", is_string);
      ("method", is_string);
      ("role", is_string);
      ("paced", ( = ) (`Bool false));
      ("domains", is_int);
      ("cutoff", nullable is_int);
      ("size", is_int);
      ("seconds", function `List s -> List.length s = runs && List.for_all is_number s | _ -> false);
      ("median", is_number);
      ("min", is_number);
      ("ns_per_fork", nullable is_number);
      ("ratio_to_sequential", is_number);
      ("ratio_to_default", nullable is_number);
      ("speed_up", nullable is_number);
      ("check", ( = ) (`String "ok"));
      ("cpu_seconds", is_number);
      ("cpu_ratio", nullable is_number);
      ("cpu_runs", function `List s -> List.length s = runs && List.for_all is_number s | _ -> false);
      ("voluntary_switches", nullable is_number);
      ("involuntary_switches", nullable is_number);
      ("minor_collections", is_number);
      ("major_collections", is_number);
      ("peak_bytes", nullable is_int);
      ("figures", is_list);
    ]
    row

let name_of row =
  let cutoff = match member "cutoff" row with `Null -> "none" | c -> string_of_int (to_int c) in
  Printf.sprintf "%s %s %d %s"
    (to_string (member "bench" row))
    (to_string (member "method" row))
    (to_int (member "domains" row))
    cutoff

let the_json_file_has_the_documented_form () =
  Toy.in_folder @@ fun folder ->
  let file = Filename.concat folder "out.json" in
  let { Toy.code; out; _ } =
    Toy.bench Weft_bench_suites.Suites.all
      [
        "fib";
        "nqueens";
        "--size";
        "8";
        "--cutoff";
        "none,4";
        "--domains";
        "1,2";
        "--runs";
        "2";
        "--json";
        file;
      ]
  in
  check_code "exit code" 0 code;
  check_contains "table" ~part:"x sequential" out;
  let json = Yojson.Safe.from_file file in
  Alcotest.(check (list string)) "top" [ "header"; "rows" ] (keys json);
  check_header (member "header" json);
  let rows = to_list (member "rows" json) in
  List.iter (check_row ~runs:2) rows;
  Alcotest.(check (list string))
    "rows"
    [
      "fib sequential 1 none";
      "fib par 1 none";
      "fib async 1 none";
      "fib par 2 none";
      "fib async 2 none";
      "fib par 1 4";
      "fib async 1 4";
      "fib par 2 4";
      "fib async 2 4";
      "fib domain-spawn 2 4";
      "nqueens sequential 1 none";
      "nqueens par 1 none";
      "nqueens async 1 none";
      "nqueens loop 1 none";
      "nqueens par 2 none";
      "nqueens async 2 none";
      "nqueens loop 2 none";
      "nqueens domain-spawn 2 none";
      "nqueens par 1 4";
      "nqueens async 1 4";
      "nqueens loop 1 4";
      "nqueens par 2 4";
      "nqueens async 2 4";
      "nqueens loop 2 4";
      "nqueens domain-spawn 2 4";
    ]
    (List.map name_of rows);
  let with_time_per_fork = List.filter (fun row -> member "ns_per_fork" row <> `Null) rows in
  Alcotest.(check (list string))
    "time per fork"
    [ "fib par 1 none"; "fib async 1 none"; "fib par 2 none"; "fib async 2 none" ]
    (List.map name_of with_time_per_fork)

let chunks_are_cutoffs_and_null_is_the_default () =
  Toy.in_folder @@ fun folder ->
  let file = Filename.concat folder "out.json" in
  let { Toy.code; out; _ } =
    Toy.bench Weft_bench_suites.Suites.all
      [
        "iota";
        "scan";
        "--size";
        "8";
        "--cutoff";
        "default,4";
        "--domains";
        "1,2";
        "--runs";
        "2";
        "--json";
        file;
      ]
  in
  check_code "exit code" 0 code;
  check_contains "table" ~part:"x default" out;
  let rows = to_list (member "rows" (Yojson.Safe.from_file file)) in
  List.iter (check_row ~runs:2) rows;
  Alcotest.(check (list string))
    "rows"
    [
      "iota sequential 1 none";
      "iota in-place 1 none";
      "iota loop 1 none";
      "iota loop 2 none";
      "iota domain-spawn 2 none";
      "iota loop 1 4";
      "iota loop 2 4";
      "scan sequential 1 none";
      "scan in-place 1 none";
      "scan loop 1 none";
      "scan loop 2 none";
      "scan domain-spawn 2 none";
    ]
    (List.map name_of rows)

let waiting_programs_have_figures_of_their_own () =
  Toy.in_folder @@ fun folder ->
  let file = Filename.concat folder "out.json" in
  let arguments = [ "channel"; "mutex"; "ping_pong"; "wake"; "timers"; "select" ] in
  let n = Testing.Effort.count ~quick:1 ~usual:2 ~long:2 in
  let options = [ "--size"; "5"; "--domains"; "2"; "--runs"; string_of_int n; "--json"; file ] in
  let { Toy.code; out; err } = Toy.bench Weft_bench_suites.Suites.all (arguments @ options) in
  Alcotest.(check (list string)) "messages" [] (without_profile_warning err);
  check_code "exit code" 0 code;
  let columns =
    [ "messages/s"; "ns/lock"; "ns/hand-over"; "wake p99 us"; "ns/timer"; "at once"; "late median us" ]
  in
  List.iter (fun part -> check_contains "table" ~part out) columns;
  let rows = to_list (member "rows" (Yojson.Safe.from_file file)) in
  let has_figures row =
    let figures = to_list (member "figures" row) in
    let check_figure =
      check_object "figure"
        [
          ("title", is_string);
          ("median", is_number);
          ("runs", function `List runs -> List.length runs = n && List.for_all is_number runs | _ -> false);
        ]
    in
    Alcotest.(check bool) (name_of row ^ ": figures") true (List.length figures >= 2);
    List.iter check_figure figures
  in
  List.iter has_figures rows

let json_on_standard_output_is_alone_there () =
  let { Toy.code; out; _ } = Toy.bench [ Toy.benchmark () ] [ "--runs"; "1"; "--json=-" ] in
  check_code "exit code" 0 code;
  Alcotest.(check (list string)) "JSON" [ "header"; "rows" ] (keys (Yojson.Safe.from_string out))

let an_unwritable_file_is_found_before_the_benchmarks_run () =
  Toy.in_folder @@ fun folder ->
  let refused ?shown file reason =
    let { Toy.code; out; err } = Toy.bench [ Toy.benchmark () ] [ "--json"; file ] in
    check_code reason 2 code;
    Alcotest.(check string) "no table" "" out;
    Alcotest.(check (list string))
      "message"
      [
        Printf.sprintf "weft bench: option '--json': cannot write %s: %s" (Option.value shown ~default:file)
          reason;
      ]
      (lines err);
    Alcotest.(check int) "nothing ran" 0 (List.length (Toy.ran ()))
  in
  refused (Filename.concat folder "missing/out.json") "No such file or directory";
  refused folder "it is a folder";
  refused ~shown:"''" "" "the name is empty";
  Alcotest.(check (array string)) "nothing is left" [||] (Sys.readdir folder)

let the_file_is_replaced_whole () =
  Toy.in_folder @@ fun folder ->
  let file = Filename.concat folder "out.json" and link = Filename.concat folder "link.json" in
  write file (String.make 100_000 'x');
  Unix.symlink "out.json" link;
  let { Toy.code; _ } = Toy.bench [ Toy.benchmark () ] [ "--runs"; "1"; "--json"; link ] in
  check_code "exit code" 0 code;
  Alcotest.(check (list string)) "JSON" [ "header"; "rows" ] (keys (Yojson.Safe.from_file file));
  Alcotest.(check bool) "the link stays" true ((Unix.lstat link).st_kind = S_LNK);
  Alcotest.(check int) "nothing beside them" 2 (Array.length (Sys.readdir folder))

let a_failure_to_write_is_an_error () =
  (* A device that is always full. *)
  if Sys.file_exists "/dev/full" then (
    let { Toy.code; err; _ } = Toy.bench [ Toy.benchmark () ] [ "--runs"; "1"; "--json"; "/dev/full" ] in
    check_code "exit code" 2 code;
    Alcotest.(check (list string))
      "message"
      [ "weft bench: option '--json': cannot write /dev/full: No space left on device" ]
      (without_profile_warning err))

let a_device_is_written_and_not_replaced () =
  let { Toy.code; _ } = Toy.bench [ Toy.benchmark () ] [ "--runs"; "1"; "--json"; "/dev/null" ] in
  check_code "exit code" 0 code;
  Alcotest.(check bool) "a device still" true ((Unix.stat "/dev/null").st_kind = S_CHR)

let case = Testing.Watchdog.case

let tests =
  [
    case "a wrong result is an error and never a time" a_wrong_result_is_an_error_and_never_a_time;
    case "an exception is an error" an_exception_is_an_error;
    case "bad values are one clear message" bad_values_are_one_clear_message;
    case "a choice that leaves nothing to run is an error" a_choice_that_leaves_nothing_to_run_is_an_error;
    case "the list names every benchmark and method" the_list_names_every_benchmark_and_method;
    case "a group stands for its benchmarks" a_group_stands_for_its_benchmarks;
    case "what is on request runs only when named" what_is_on_request_runs_only_when_named;
    case "a group of large benchmarks alone runs when it is named" a_group_of_large_ones_runs_when_named;
    case "headings say what the cutoff is" headings_say_what_the_cutoff_is;
    case "a benchmark without cutoff takes none" a_benchmark_without_cutoff_takes_none;
    case "the JSON file has the documented form" the_json_file_has_the_documented_form;
    case "chunks are cutoffs, and null is the default" chunks_are_cutoffs_and_null_is_the_default;
    case "waiting programs have figures of their own" waiting_programs_have_figures_of_their_own;
    case "JSON on standard output is alone there" json_on_standard_output_is_alone_there;
    case "an unwritable file is found before the benchmarks run"
      an_unwritable_file_is_found_before_the_benchmarks_run;
    case "the file is replaced whole" the_file_is_replaced_whole;
    case "a failure to write is an error" a_failure_to_write_is_an_error;
    case "a device is written and not replaced" a_device_is_written_and_not_replaced;
  ]
