open Weft_bench_harness
open Cmdliner

(* {1 Measuring} *)

let report ~runs ~missing start json_place measured =
  let header = Header.finish start ~missing ~runs in
  let rows = Row.of_measured measured in
  let json = `Assoc [ ("header", Header.to_json header); ("rows", `List (List.map Row.to_json rows)) ] in
  Output.report ~json ~text:(Table.render rows ^ "\n" ^ Header.summary header) json_place

let measure ~runs ~missing json_place configs =
  Output.warn_of_profile ();
  let start = Header.start () in
  let progress = Progress.start ~total:((runs + 1) * List.length configs) in
  let show ~round config =
    Progress.step progress
      (Printf.sprintf "%s: %s"
         (if round = 0 then "warming up" else Printf.sprintf "round %d of %d" round runs)
         (Plan.describe config))
  in
  let outcome = Runner.run ~runs ~progress:show configs in
  Progress.finish progress;
  match outcome with
  | Ok measured -> report ~runs ~missing start json_place measured
  | Error failure ->
      Output.error (Format.asprintf "%a" Runner.pp_failure failure);
      Output.exit_wrong

let bench (choice : Plan.choice) ~missing ~runs ~json =
  (* Who names the methods knows who takes part. *)
  let is_missed ({ benchmarks; _ } : Contestant.missing) =
    Option.is_none choice.methods
    && List.exists (fun (b : Benchmark.t) -> List.mem b.name benchmarks) choice.benchmarks
  in
  let missing = List.filter is_missed missing in
  match Plan.make choice with
  | Error message -> `Error (false, message)
  | Ok configs -> Output.to_place json (fun place -> measure ~runs ~missing place configs)

(* {1 --list} *)

let contestants benchmarks =
  let add seen (way : Benchmark.way) =
    if List.exists (Contestant.equal way.contestant) seen then seen else seen @ [ way.contestant ]
  in
  List.fold_left add [] (List.concat_map (fun (b : Benchmark.t) -> b.ways) benchmarks)

(* What can be named on the command line: benchmarks, and groups of them. *)
type named = { name : string; members : Benchmark.t list }

let groups benchmarks =
  let members group = List.filter (fun (b : Benchmark.t) -> b.group = Some group) benchmarks in
  let add seen (b : Benchmark.t) =
    match b.group with
    | Some name when not (List.exists (fun group -> String.equal group.name name) seen) ->
        seen @ [ { name; members = members name } ]
    | _ -> seen
  in
  List.fold_left add [] benchmarks

let names benchmarks = String.concat ", " (List.map (fun (b : Benchmark.t) -> b.name) benchmarks)

let describe_benchmark (b : Benchmark.t) =
  let least, greatest = b.sizes in
  let methods = List.map (fun (way : Benchmark.way) -> way.contestant.name) b.ways in
  let grain, case =
    match b.grain with
    | Cutoff doc ->
        ( [ "cutoff: " ^ doc ],
          function None -> " with no cutoff" | Some c -> Printf.sprintf " with cutoff %d" c )
    | Chunk doc ->
        ( [ "cutoff: the chunk size, " ^ doc ],
          function None -> "" | Some c -> Printf.sprintf " with chunk %d" c )
    | Fixed -> ([], fun _ -> "")
  in
  let case cutoff = Printf.sprintf "%d%s" (b.default_size cutoff) (case cutoff) in
  let details =
    [ Printf.sprintf "size: %s, %d to %d" b.size_doc least greatest ]
    @ grain
    @ [
        "default: " ^ String.concat ", " (List.map case b.default_cutoffs);
        "methods: " ^ String.concat ", " methods;
      ]
  in
  Printf.sprintf "%s: %s\n" b.name b.doc ^ String.concat "" (List.map (Printf.sprintf "  %s\n") details)

let list benchmarks missing =
  let describe_group { name; members } = Printf.sprintf "%s: %s\n" name (names members) in
  let describe_method (c : Contestant.t) = Printf.sprintf "%s: %s\n" c.name c.doc in
  let describe_missing ({ name; reason; _ } : Contestant.missing) = Printf.sprintf "%s: %s\n" name reason in
  let section title = function [] -> "" | lines -> "\n" ^ title ^ "\n" ^ String.concat "" lines in
  Output.print
    (String.concat "" (List.map describe_benchmark benchmarks)
    ^ section "Groups of benchmarks" (List.map describe_group (groups benchmarks))
    ^ section "Methods" (List.map describe_method (contestants benchmarks))
    ^ section "Missing methods" (List.map describe_missing missing)
    ^ section "Another command"
        [ Printf.sprintf "weft bench %s: %s\n" Elastic_command.name Elastic_command.doc ])

(* {1 Command line} *)

let default_domains () = List.sort_uniq Int.compare [ 1; Weft.Pool.default_domains () ]
let number = Arguments.number
let list_of element = Arg.some (Arguments.distinct element)

let benchmarks_arg benchmarks =
  let alone (b : Benchmark.t) = { name = b.name; members = [ b ] } in
  let named = List.map alone benchmarks @ groups benchmarks in
  let benchmark = Arguments.named ~what:"benchmark" ~name:(fun { name; _ } -> name) named in
  let doc =
    "Benchmarks to run, or groups of them (see $(b,--list)). Default: all but those of $(b,batch) and the \
     groups whose names begin with $(b,batch_)."
  in
  let members chosen = List.concat_map (fun { members; _ } -> members) chosen in
  Term.(const members $ Arg.(value & pos_all benchmark [] & info [] ~docv:"BENCH" ~doc))

let methods_arg benchmarks missing =
  let name (c : Contestant.t) = c.name in
  let why_not text =
    let is_it (missing : Contestant.missing) = String.equal missing.name text in
    Option.map (fun (m : Contestant.missing) -> m.reason) (List.find_opt is_it missing)
  in
  let method_ = Arguments.named ~why_not ~what:"method" ~name (contestants benchmarks) in
  let doc =
    "Methods to compare. Default: all that are there, other libraries and languages included. A method is \
     left out where it makes no sense: $(b,domain-spawn) needs at least 2 domains, for $(b,fib) a cutoff, \
     and for loops none. The column x sequential needs the method $(b,sequential)."
  in
  Arg.(value & opt (list_of method_) None & info [ "method" ] ~docv:"METHOD,..." ~doc)

let domains_arg =
  let count = number ~what:"number of domains" ~least:1 ~greatest:Weft_support.Machine.max_domains () in
  let doc = "Numbers of domains, the calling one included. Default: 1 and the size of the default pool." in
  Arg.(value & opt (list_of count) None & info [ "domains" ] ~docv:"N,..." ~doc)

let cutoffs_arg =
  let doc =
    "Where programs stop forking; for loops, how many iterations run in a row at most (the chunk size). \
     $(b,none) and $(b,default) both mean to force nothing: programs fork everywhere, and loops find their \
     chunks themselves. Default: the benchmark's own (see $(b,--list))."
  in
  Arg.(value & opt (list_of Arguments.cutoff) None & info [ "cutoff" ] ~docv:"N,..." ~doc)

let size_arg =
  let size = number ~what:"size" ~least:0 () in
  let doc = "Size of the problem. Default: the benchmark's own (see $(b,--list))." in
  Arg.(value & opt (some size) None & info [ "size" ] ~docv:"N" ~doc)

let runs_arg =
  let runs = number ~what:"number of runs" ~least:1 () in
  Arg.(value & opt runs 5 & info [ "runs" ] ~docv:"N" ~doc:"Measured runs of each configuration.")

let list_arg =
  Arg.(value & flag & info [ "list" ] ~doc:"Print the benchmarks, their sizes and methods, and run nothing.")

let term ~on_request ~missing usual =
  let all = usual @ on_request in
  let open Term.Syntax in
  let+ chosen = benchmarks_arg all
  and+ methods = methods_arg all missing
  and+ domains = domains_arg
  and+ cutoffs = cutoffs_arg
  and+ size = size_arg
  and+ runs = runs_arg
  and+ json = Output.json_arg
  and+ listing = list_arg in
  match Arguments.repeated (fun (a : Benchmark.t) (b : Benchmark.t) -> String.equal a.name b.name) chosen with
  | Some (b, _) -> `Error (false, Printf.sprintf "benchmark '%s' is given twice" b.name)
  | None when listing -> `Ok (list all missing)
  | None ->
      let benchmarks = if chosen = [] then usual else chosen in
      let domains = match domains with Some domains -> domains | None -> default_domains () in
      bench { benchmarks; methods; domains; cutoffs; size } ~missing ~runs ~json

let doc = "run benchmarks and compare"

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs benchmarks of Weft beside the same program written sequentially, with $(b,Domain.spawn), or with \
       system threads, and prints their times as a table. Every result is checked.";
    `P
      "Each configuration (benchmark, size, cutoff, method, number of domains) runs once in each round, in \
       an order shuffled anew for every round; the first round only warms up. The time is that of the \
       computation alone, inside a pool that exists for this run only; with $(b,Domain.spawn) it includes \
       making the domains.";
    `P
      "Columns: median and least time of the runs, in milliseconds; the median divided by the number of \
       forks, in nanoseconds; the median divided by that of the sequential program, and for a forced chunk \
       or a cutoff by that of the same method without; how many times faster than the same method on one \
       domain. A column that would be empty is left out.";
    `P
      "Benchmarks of parties that wait for each other or for the clock ($(b,channel), $(b,mutex), \
       $(b,ping_pong), $(b,wake), $(b,timers), $(b,select)) have columns of their own at the end, medians of \
       the runs: how many operations were made, the time of one in nanoseconds or the number in a second; \
       median and 99th percentile of how late something was, in microseconds. Threads that must wait at \
       every operation make fewer of them: compare the time of one, not that of the run. Where pauses set \
       the time of a run ($(b,wake), $(b,timers_sleep), $(b,timers_late)), it is not compared.";
    `P
      "For loops, $(b,sequential) is a plain $(b,for) that calls the very closure that Weft's loop calls; \
       $(b,in-place) is the same with the body written in place.";
    `P
      "The group $(b,batch) compares batched structures ($(b,batched)) with the sequential one \
       ($(b,sequential): a plain loop), the same behind a lock ($(b,coarse)) and, where Saturn has one, a \
       structure without locks ($(b,lockfree)); in the last three each operation is a task of its own. \
       Before a run, which is not timed, the structure gets its keys. $(b,--size) is the number of \
       operations. Columns: thousands of operations per second; words allocated per operation, those of the \
       forks included; batches, and how many of them ran in parallel; the mean batch; the share applied in \
       place. The groups $(b,batch_mixes) and $(b,batch_patterns) have other mixes of operations and other \
       orders of keys.";
    `P "$(b,weft bench elastic) is a command of its own, with options of its own: see its $(b,--help).";
    `S Manpage.s_examples;
    `Pre "  weft bench fib --cutoff none --size 36 --runs 11";
    `Pre "  weft bench iota lu --cutoff default,1,4,16,64 --domains 2";
    `Pre "  weft bench sort --size 100000";
    `Pre "  weft bench channel_1_1_bounded_64 mutex --method fibers,threads";
    `Pre "  weft bench wake --domains 2,4";
    `Pre "  weft bench batch --domains 1,2,8 --runs 3";
    `Pre "  weft bench nqueens --domains 1,2,4 --json nqueens.json";
  ]

let of_benchmarks ?(on_request = []) ?(missing = []) usual =
  Cmd.v (Cmd.info "bench" ~doc ~man ~exits:Output.exits) (Term.ret (term ~on_request ~missing usual))

(* The other libraries and languages take part in benchmarks that know nothing of them. *)
let cmd =
  let foreign = Weft_bench_foreign.(Foreign.make ~folder:(Programs.folder ()) Programs.all) in
  let rivals = Weft_bench_rivals.Rivals.all in
  let ways = Weft_bench_rivals.Rivals.ways rivals @ foreign.ways in
  let join (b : Benchmark.t) =
    {
      b with
      ways = b.ways @ List.filter_map (fun (name, way) -> if name = b.name then Some way else None) ways;
    }
  in
  of_benchmarks
    (List.map join Weft_bench_suites.Suites.all)
    ~on_request:Weft_bench_batch.Batch_suites.all
    ~missing:(Weft_bench_rivals.Rivals.missing rivals @ foreign.missing)

(* Cmdliner cannot have both benchmarks to name and subcommands after the same word. *)
let for_arguments argv =
  if Array.length argv > 2 && String.equal argv.(1) "bench" && String.equal argv.(2) Elastic_command.name then
    Cmd.group (Cmd.info "bench" ~doc) [ Elastic_command.cmd ]
  else cmd
