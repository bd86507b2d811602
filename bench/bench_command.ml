open Weft_bench_harness
open Cmdliner

let number = Arguments.number
let list_of element = Arg.some (Arguments.distinct element)

(* {1 Arguments} *)

let benchmarks_arg selection =
  let named = Arguments.named ~what:"benchmark" ~name:Selection.name (Selection.names selection) in
  let doc =
    "Benchmarks to run, or groups of them (see $(b,--list)); $(b,all): every benchmark, and the cases of \
     $(b,weft bench elastic). Default: all but those of $(b,batch) and the groups whose names begin with \
     $(b,batch_), and without $(b,elastic)."
  in
  Arg.(value & pos_all named [] & info [] ~docv:"BENCH" ~doc)

let large_arg =
  let doc =
    "Where $(b,all) or nothing is named, take along what needs minutes: the large problems $(b,uts_t1l) and \
     $(b,uts_t3l), also where their group is named, and the groups $(b,data) and $(b,functions). By their \
     own names they can always be run."
  in
  Arg.(value & flag & info [ "large" ] ~doc)

let quick_arg =
  let doc =
    "A small size of each benchmark (see $(b,--list)), two runs and none to warm up, on 1 and 2 domains, as \
     far as nothing else is chosen; programs in other languages are left out unless $(b,--method) names \
     them. With $(b,all), also a small part of $(b,elastic): less than three minutes in all. It shows that \
     everything works, and little else."
  in
  Arg.(value & flag & info [ "quick" ] ~doc)

let methods_arg benchmarks missing =
  let name (c : Contestant.t) = c.name in
  let why_not text =
    let is_it (missing : Contestant.missing) = String.equal missing.name text in
    Option.map (fun (m : Contestant.missing) -> m.reason) (List.find_opt is_it missing)
  in
  let method_ = Arguments.named ~why_not ~what:"method" ~name (Listing.contestants benchmarks) in
  let doc =
    "Methods to compare. Default: all that are there, other libraries and languages included. A method is \
     left out where it makes no sense: $(b,domain-spawn) needs at least 2 domains, for $(b,fib) a cutoff, \
     and for loops none. The column x sequential needs the method $(b,sequential)."
  in
  Arg.(value & opt (list_of method_) None & info [ "method" ] ~docv:"METHOD,..." ~doc)

let domains_arg =
  let doc =
    "Numbers of domains, the calling one included; $(b,2x) is twice the processors, as the default pool \
     counts them. Default: 1 and the size of the default pool."
  in
  Arg.(value & opt (list_of Arguments.domains) None & info [ "domains" ] ~docv:"N,..." ~doc)

let cutoffs_arg =
  let doc =
    "Where programs stop forking; for loops, how many iterations run in a row at most (the chunk size). \
     $(b,none) and $(b,default) both mean to force nothing: programs fork everywhere, and loops find their \
     chunks themselves. Default: the benchmark's own (see $(b,--list))."
  in
  Arg.(value & opt (list_of Arguments.cutoff) None & info [ "cutoff" ] ~docv:"N,..." ~doc)

let sizes_arg =
  let size = number ~what:"size" ~least:0 () in
  let doc = "Sizes of the problem. Default: the benchmark's own (see $(b,--list))." in
  Arg.(value & opt (list_of size) None & info [ "size" ] ~docv:"N,..." ~doc)

type sweep = Domains | Of_plan of Plan.sweep

let sweeps = [ ("domains", Domains); ("cutoff", Of_plan By_cutoff); ("size", Of_plan By_size) ]

let sweep_arg =
  let sweep = Arguments.one_of ~what:"sweep" sweeps in
  let doc =
    "Vary $(b,domains): 1, 2, 4 and so on, up to twice and four times the processors; $(b,cutoff), or chunk \
     size: those that $(b,--list) shows, and none, at one size, on the processors there are; $(b,size): \
     those that $(b,--list) shows. Several can be given. Benchmarks without cutoffs take no part in \
     $(b,--sweep cutoff)."
  in
  Arg.(value & opt (list_of sweep) None & info [ "sweep" ] ~docv:"WHAT,..." ~doc)

let runs_arg =
  let runs = number ~what:"number of runs" ~least:1 () in
  let doc = "Measured runs of each configuration. Default: 5, with $(b,--quick) 2." in
  Arg.(value & opt (some runs) None & info [ "runs" ] ~docv:"N" ~doc)

let list_arg =
  Arg.(value & flag & info [ "list" ] ~doc:"Print the benchmarks, their sizes and methods, and run nothing.")

(* {1 What is measured} *)

let ( let* ) = Result.bind

let check_sweep sweep ~domains ~cutoffs ~sizes =
  let given =
    [
      ("domains", Option.is_some domains); ("cutoff", Option.is_some cutoffs); ("size", Option.is_some sizes);
    ]
  in
  match List.find_opt (fun (name, is_given) -> is_given && List.mem_assoc name sweep) given with
  | Some (name, _) ->
      Error (Printf.sprintf "options '--sweep %s' and '--%s': only one of the two can be given" name name)
  | None -> Ok ()

let choose_domains sweep ~quick domains =
  let processors = Weft.Pool.default_domains () in
  match domains with
  | Some chosen -> Arguments.all_domains ~processors chosen
  | None when List.mem_assoc "domains" sweep -> Ok (Arguments.sweep_of_domains ~processors)
  | None when List.mem_assoc "cutoff" sweep -> Ok [ processors ]
  | None when quick -> Ok [ 1; 2 ]
  | None -> Ok (List.sort_uniq Int.compare [ 1; processors ])

let of_plan =
  List.filter_map (fun (_, what) -> match what with Of_plan sweep -> Some sweep | Domains -> None)

let usual_runs ~quick = if quick then 2 else 5

(* A user who names the methods knows which ones take part. *)
let missed ~methods benchmarks =
  let is_missed ({ benchmarks = names; _ } : Contestant.missing) =
    Option.is_none methods && List.exists (fun (b : Benchmark.t) -> List.mem b.name names) benchmarks
  in
  List.filter is_missed

(* Programs in other languages have to be started and to warm up, which takes too long for a quick run. *)
let quickly ~quick methods benchmarks =
  match methods with
  | None when quick ->
      Some (List.filter (fun c -> not (Rivalry.is_foreign c)) (Listing.contestants benchmarks))
  | _ -> methods

let left_out ~quick methods benchmarks =
  let reason = "left out by --quick; --method names it" in
  let takes_part c (b : Benchmark.t) =
    List.exists (fun (w : Benchmark.way) -> Contestant.equal w.contestant c) b.ways
  in
  let left_out (c : Contestant.t) =
    let benchmarks =
      List.filter_map (fun (b : Benchmark.t) -> if takes_part c b then Some b.name else None) benchmarks
    in
    { Contestant.name = c.name; reason; benchmarks }
  in
  match methods with
  | None when quick -> List.map left_out (List.filter Rivalry.is_foreign (Listing.contestants benchmarks))
  | _ -> []

let bench ~elastic ~missing ~rivals (chosen : Selection.choice) ~methods ~domains ~cutoffs ~sizes ~sweep
    ~quick ~runs ~forms =
  let sweep = Option.value sweep ~default:[] in
  let planned =
    let* () = check_sweep sweep ~domains ~cutoffs ~sizes in
    let* domains = choose_domains sweep ~quick domains in
    let benchmarks = chosen.benchmarks and leave_out = not chosen.by_name in
    let methods = quickly ~quick methods benchmarks in
    Plan.make { benchmarks; leave_out; methods; domains; cutoffs; sizes; sweep = of_plan sweep; quick }
  in
  match planned with
  | Error message -> `Error (false, message)
  | Ok configs ->
      (* The cases of elastic have their own methods and sizes. *)
      let elastic =
        elastic && chosen.everything && Option.is_none methods && Option.is_none cutoffs
        && Option.is_none sizes && List.is_empty sweep
      in
      let runs = Option.value runs ~default:(usual_runs ~quick) in
      let missing = missed ~methods chosen.benchmarks missing @ left_out ~quick methods chosen.benchmarks in
      Output.to_places forms (Measure.run ~quick ~runs ~elastic ~missing ~rivals configs)

let term ~elastic ~missing ~rivals selection =
  let open Term.Syntax in
  let+ named = benchmarks_arg selection
  and+ large = large_arg
  and+ methods = methods_arg (Selection.benchmarks selection) missing
  and+ domains = domains_arg
  and+ cutoffs = cutoffs_arg
  and+ sizes = sizes_arg
  and+ sweep = sweep_arg
  and+ quick = quick_arg
  and+ runs = runs_arg
  and+ forms = Output.results_arg
  and+ listing = list_arg in
  match Selection.choose selection ~large named with
  | Error message -> `Error (false, message)
  | Ok _ when listing -> `Ok (Output.print (Listing.text selection ~missing))
  | Ok chosen ->
      bench ~elastic ~missing ~rivals chosen ~methods ~domains ~cutoffs ~sizes ~sweep ~quick ~runs ~forms

(* {1 The command} *)

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
       or a cutoff by that of the same method without; the processor time of the whole process divided by \
       that of the sequential program; how many times faster than the same method on one domain. A column \
       that would be empty is left out.";
    `P
      "Benchmarks of parties that wait for each other or for the clock ($(b,channel), $(b,mutex), \
       $(b,ping_pong), $(b,echo), $(b,wake), $(b,timers), $(b,select), $(b,timers_busy), $(b,ready), \
       $(b,fairness)) have columns of their own at the end, medians of the runs: how many operations were \
       made, the time of one in nanoseconds or the number in a second; median, 99th percentile and maximum \
       of how late something was, in microseconds; how many times as many turns the first fiber had as the \
       last, $(b,max/min). Threads that must wait at every operation make fewer of them: compare the time of \
       one, not that of the run. Where pauses set the time of a run ($(b,wake), $(b,timers_sleep), \
       $(b,timers_late), $(b,timers_busy), $(b,ready), $(b,fairness), $(b,steal)), it is not compared.";
    `P
      "For loops, $(b,sequential) is a plain $(b,for) that calls the very closure that Weft's loop calls; \
       $(b,in-place) is the same with the body written in place.";
    `P
      "In $(b,mutex_section_0), $(b,mutex_section_100ns), $(b,mutex_section_1us) and $(b,mutex_section_10us) \
       there is one party for each domain: a fiber, or with $(b,stdlib) a thread that uses OCaml's own \
       mutex. A run makes all locks twice: $(b,ns/lock) is of the first time; $(b,wait), from asking for the \
       mutex until having it, with its 99.9th percentile too, of the second, where each lock is timed.";
    `P
      "$(b,steal), on two domains, has one thief and one job at a time. $(b,wait) is the time from the end \
       of a job, when the next one is there to be taken, until that one begins, by the thief's clock. \
       $(b,loss) is by how much the victim's pieces of work, of some 30 us, take longer with a steal than \
       without: differences of medians and of 99th percentiles. The methods are what the victim does.";
    `P
      "Where $(b,--size) is in microseconds ($(b,short_loops), $(b,short_loops_uneven), \
       $(b,short_loops_gaps), $(b,independent_tasks)), the work is operations of some nanoseconds each. How \
       many of them a microsecond takes is measured once, for all methods, and shown as $(b,ops/us); the row \
       of $(b,sequential) shows what the work really took. In $(b,short_loops_gaps), $(b,ns/loop) is the \
       time of the loops alone, without the work after each.";
    `P
      "The group $(b,batch) compares batched structures ($(b,batched)) with the sequential one \
       ($(b,sequential): a plain loop), the same behind a lock ($(b,coarse)) and, where Saturn has one, a \
       structure without locks ($(b,lockfree)); $(b,coarse), $(b,lockfree) and $(b,batched) run each \
       operation as a task of its own. So does $(b,unlocked), the sequential counter on one domain, which \
       shows what the tasks cost. $(b,stdlib_map) and $(b,stdlib_hashtbl) are the plain loop with the \
       standard library's $(b,Map) and $(b,Hashtbl). With $(b,exec_many) and $(b,submit) one fiber makes all \
       operations on the batched map, 1,024 at a time: divided by kind, which is timed, as a batch of the \
       searches, one of the adds and one of the removals; or all submitted in order, then all awaited. \
       Before a run, which is not timed, the structure gets its keys. $(b,--size) is the number of \
       operations. Columns: thousands of operations per second; words allocated per operation, those of the \
       forks included; batches, and how many of them ran in parallel; the mean batch; the share applied in \
       place; nanoseconds that an operation of a batch takes if it is applied one by one, and if the batch \
       is run in parallel. The groups $(b,batch_mixes) and $(b,batch_patterns) have other mixes of \
       operations and other orders of keys.";
    `P
      "The group $(b,book) has well-known algorithms as a book has them ($(b,book)), beside the best \
       sequential program of any kind ($(b,best_sequential), to which $(b,x sequential) compares), the same \
       steps in plain code ($(b,sequential), to which $(b,x own sequential) compares), and the best variant \
       with cutoffs and blocks by hand ($(b,by_hand)).";
    `P
      "$(b,metg) runs trees of equal tasks of 10 ns to 1 ms of work each. $(b,METG ns) is the least size of \
       a task, the forking included, at which half of the time of all domains is work; $(b,% 10ns) and so on \
       are the percentages of work at each size.";
    `P
      "On a terminal a line says how long the rest will take. Ctrl-C (SIGINT, SIGTERM) ends the run and \
       keeps what has been measured: the rounds that are complete are printed, and written as JSON with \
       $(b,interrupted) in its header. A second Ctrl-C ends it at once.";
    `P
      "If a program of another library or language computes a wrong result, ends, or does not answer, it \
       takes no further part in that benchmark and is listed as missing; the exit code is then 1. If one of \
       Weft's own programs does, the run ends; the rounds that are complete are kept.";
    `P
      "$(b,weft bench elastic) and $(b,weft bench compat) are commands of their own, with options of their \
       own: see their $(b,--help).";
    `S Manpage.s_examples;
    `Pre "  weft bench fib --cutoff none --size 36 --runs 11";
    `Pre "  weft bench iota lu --cutoff default,1,4,16,64 --domains 2";
    `Pre "  weft bench sort --size 100000";
    `Pre "  weft bench channel_1_1_bounded_64 mutex --method fibers,threads";
    `Pre "  weft bench wake --domains 2,4";
    `Pre "  weft bench batch --domains 1,2,8 --runs 3";
    `Pre "  weft bench nqueens --domains 1,2,1x,2x --json nqueens.json";
    `Pre "  weft bench fib iota --sweep cutoff --method sequential,par,loop";
    `Pre "  weft bench uts --large --sweep domains";
    `Pre "  weft bench all --quick";
    `Pre "  weft bench all --json all.json";
  ]

let of_benchmarks ?on_request ?large ?(elastic = false) ?(missing = []) ?(rivals = Measure.no_rivals) usual =
  let selection = Selection.make ?on_request ?large usual in
  Cmd.v (Cmd.info "bench" ~doc ~man ~exits:Output.exits) (Term.ret (term ~elastic ~missing ~rivals selection))

let cmd =
  of_benchmarks
    (Rivalry.join Weft_bench_suites.Suites.all)
    ~on_request:Weft_bench_batch.Batch_suites.all ~large:Weft_bench_suites.Suites.large ~elastic:true
    ~missing:Rivalry.missing
    ~rivals:{ is_rival = Rivalry.is_rival; own = Rivalry.own; version = Rivalry.version }

(* Cmdliner cannot take both names of benchmarks and subcommands after the same word. *)
let for_arguments argv =
  let is_named name = Array.length argv > 2 && String.equal argv.(1) "bench" && String.equal argv.(2) name in
  if is_named Elastic_command.name then Cmd.group (Cmd.info "bench" ~doc) [ Elastic_command.cmd ]
  else if is_named Compat_command.name then Cmd.group (Cmd.info "bench" ~doc) [ Compat_command.cmd ]
  else cmd
