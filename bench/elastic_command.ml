open Weft_bench_harness
open Weft_bench_elastic
open Weft_bench_results
open Cmdliner

let name = "elastic"
let doc = "compare idle, crowded and throttled pools with parked domains"

(* {1 Measuring} *)

type results = { rows : Row.t list; skipped : Results.skipped list }
type outcome = Complete of results | Interrupted of int * results option | Failed of string * results option

let report ?kept ~runs start places { rows; skipped } =
  let header = Header.finish ~kind:Elastic ~warm_up:false ?interrupted_after:kept start ~runs in
  let table = if rows = [] then "" else Table.render rows ^ "\n" in
  Output.report { Results.header; rows; skipped } ~text:(table ^ Header.summary header) places

let tell_skipped ({ case; why } : Measuring.skipped) =
  Output.error (Printf.sprintf "%s is left out, for want of a CPU quota: %s" case.name why)

let describe_entry ({ case; config; _ } : Measuring.entry) = case.name ^ ": " ^ Plan.describe config

(* Whenever a round is complete, [kept] gets the rows of all complete rounds; before that, the rows that
   there are of the first. *)
let measure_entries ~program ~runs ~limit ~kept entries =
  let entries, skipped = Measuring.possible ~program entries in
  List.iter tell_skipped skipped;
  let skipped =
    List.map (fun ({ case; why } : Measuring.skipped) -> { Results.case = case.name; why }) skipped
  in
  let progress = Progress.start ~rounds:runs (List.map describe_entry entries) in
  let show ~round entry =
    Progress.step progress ~about:(Printf.sprintf "round %d of %d" round runs) (describe_entry entry)
  in
  let so_far round rows = kept := Some (round, { rows; skipped }) in
  Fun.protect ~finally:(fun () -> Progress.finish progress) @@ fun () ->
  Result.map
    (fun rows -> { rows; skipped })
    (Measuring.run ~program ~runs ~limit ~progress:show ~so_far entries)

(* Also returns how many rounds are complete. *)
let measured ~runs ~limit entries =
  let kept = ref None in
  let program = Sys.executable_name in
  match Processes.guarded (fun () -> measure_entries ~program ~runs ~limit ~kept entries) with
  | Ok (Ok results) -> (runs, Complete results)
  | Ok (Error message) -> (Option.fold !kept ~none:0 ~some:fst, Failed (message, Option.map snd !kept))
  | Error signal -> (Option.fold !kept ~none:0 ~some:fst, Interrupted (signal, Option.map snd !kept))

let measure ~runs ~limit places entries =
  Output.warn_of_profile ();
  let start = Header.start () in
  let keep what complete results =
    let plural n = if n = 1 then "" else "s" in
    Output.error
      (if complete = 0 then
         let n = List.length results.rows in
         Printf.sprintf "%s in the first round: %d configuration%s kept" what n (plural n)
       else Printf.sprintf "%s: %d of %d round%s complete and kept" what complete runs (plural runs));
    ignore (report ~kept:(Int.max 1 complete) ~runs start places results : int)
  in
  match measured ~runs ~limit entries with
  | _, Complete results -> report ~runs start places results
  | complete, Interrupted (_, Some results) ->
      keep "interrupted" complete results;
      Interrupts.exit_code
  | _, Interrupted (signal, None) -> Processes.die_of signal
  | complete, Failed (message, results) ->
      Output.error message;
      Option.iter (keep "ended by this" complete) results;
      Output.exit_wrong

let elastic choice ~runs ~limit ~forms =
  match Measuring.plan choice with
  | Error message -> `Error (false, message)
  | Ok entries -> Output.to_places forms (fun places -> measure ~runs ~limit places entries)

(* {1 As a part of all benchmarks} *)

let usual_limit = 20

(* If [quick]: two numbers of domains, and a quarter of the usual work of quick runs. *)
let all ~quick ~runs =
  let choice =
    {
      Measuring.cases = Case.all;
      methods = None;
      workloads = None;
      domains = (if quick then Some [ 2; 8 ] else None);
      share = (fun case -> if quick then case.quick_share /. 4. else 1.);
    }
  in
  match Measuring.plan choice with
  | Error message -> Failed (message, None)
  | Ok entries -> snd (measured ~runs ~limit:(float_of_int usual_limit) entries)

(* {1 --list} *)

let unique names =
  List.fold_left (fun seen name -> if List.mem name seen then seen else seen @ [ name ]) [] names

let commas = String.concat ", "
let workloads (case : Case.t) = List.map (fun (program : Case.program) -> program.label) case.programs
let methods (case : Case.t) = List.concat_map (fun (program : Case.program) -> program.methods) case.programs

let describe (case : Case.t) =
  let details =
    (match unique (workloads case) with [ "" ] -> [] | workloads -> [ "workloads: " ^ commas workloads ])
    @ [
        "methods: " ^ commas (unique (methods case));
        "domains: " ^ commas (List.map string_of_int case.domains);
      ]
  in
  Printf.sprintf "%s: %s\n" case.name case.doc ^ String.concat "" (List.map (Printf.sprintf "  %s\n") details)

let groups = unique (List.filter_map (fun (case : Case.t) -> case.group) Case.all)
let of_group group = List.filter (fun (case : Case.t) -> case.group = Some group) Case.all

let contestants =
  let ways = List.concat_map (fun (p : Case.program) -> p.benchmark.ways) in
  let all = List.concat_map (fun (case : Case.t) -> ways case.programs) Case.all in
  let used = List.concat_map methods Case.all in
  let add seen ({ contestant; _ } : Benchmark.way) =
    if List.mem contestant.name used && not (List.exists (Contestant.equal contestant) seen) then
      seen @ [ contestant ]
    else seen
  in
  List.fold_left add [] all

let list () =
  let group name =
    Printf.sprintf "%s: %s\n" name (commas (List.map (fun (c : Case.t) -> c.name) (of_group name)))
  in
  let contestant (c : Contestant.t) = Printf.sprintf "%s: %s\n" c.name c.doc in
  let section title lines = "\n" ^ title ^ "\n" ^ String.concat "" lines in
  Output.print
    (String.concat "" (List.map describe Case.all)
    ^ section "Groups of cases" (List.map group groups)
    ^ section "Methods" (List.map contestant contestants))

(* {1 Command line} *)

let list_of element = Arg.some (Arguments.distinct element)

type named = { name : string; members : Case.t list }

let cases_arg =
  let alone (case : Case.t) = { name = case.name; members = [ case ] } in
  let group name = { name; members = of_group name } in
  let named = List.map alone Case.all @ List.map group groups in
  let case = Arguments.named ~what:"case" ~name:(fun { name; _ } -> name) named in
  let doc = "Cases to run, or groups of them (see $(b,--list)). Default: all." in
  let members = Option.map (List.concat_map (fun { members; _ } -> members)) in
  Term.(const members $ Arg.(value & opt (list_of case) None & info [ "case" ] ~docv:"CASE,..." ~doc))

let methods_arg =
  let method_ =
    Arguments.named ~what:"method" ~name:Fun.id (List.map (fun (c : Contestant.t) -> c.name) contestants)
  in
  let doc = "Methods to compare. Default: all." in
  Arg.(value & opt (list_of method_) None & info [ "method" ] ~docv:"METHOD,..." ~doc)

let workloads_arg =
  let all = List.filter (( <> ) "") (unique (List.concat_map workloads Case.all)) in
  let workload = Arguments.named ~what:"workload" ~name:Fun.id all in
  let doc = "What is run, in cases that have several workloads (see $(b,--list)). Default: all." in
  Arg.(value & opt (list_of workload) None & info [ "workload" ] ~docv:"WORKLOAD,..." ~doc)

let domains_arg =
  let count =
    Arguments.number ~what:"number of domains" ~least:1 ~greatest:Weft_platform.Machine.max_domains ()
  in
  let doc =
    "Numbers of domains for $(b,crowded) and the cases of $(b,beside) and $(b,crowded_loops). Default: 2, 4, \
     8, 16; 1, 2, 8; and 1, 2. Columns such as x 2 domains need that number among them."
  in
  Arg.(value & opt (list_of count) None & info [ "domains" ] ~docv:"N,..." ~doc)

let number_arg name ~what ~least ~greatest ~docv ~doc =
  Arg.(value & opt (some (Arguments.number ~what ~least ~greatest ())) None & info [ name ] ~docv ~doc)

let runs_arg =
  number_arg "runs" ~what:"number of runs" ~least:1 ~greatest:1_000 ~docv:"N"
    ~doc:"Measured runs of each configuration. Default: 3, with $(b,--quick) 1."

let work_arg =
  number_arg "work" ~what:"percentage" ~least:1 ~greatest:10_000 ~docv:"PERCENT"
    ~doc:
      "How much is done in each run, in percent of the usual: computations, bursts, time. Default: 100; with \
       $(b,--quick) 20 or, of what takes long, 2.5."

let quick_arg =
  Arg.(value & flag & info [ "quick" ] ~doc:"One short run of each configuration: less than a minute.")

let limit_arg =
  let limit = Arguments.number ~what:"number of seconds" ~least:1 ~greatest:600 () in
  let doc =
    "The time that a run may take, with its preparations. One that takes longer is killed, counts as that \
     long, and is not tried again."
  in
  Arg.(value & opt limit usual_limit & info [ "limit" ] ~docv:"SECONDS" ~doc)

let list_arg = Arg.(value & flag & info [ "list" ] ~doc:"Print the cases and methods, and run nothing.")

let term =
  let open Term.Syntax in
  let+ cases = cases_arg
  and+ methods = methods_arg
  and+ workloads = workloads_arg
  and+ domains = domains_arg
  and+ runs = runs_arg
  and+ work = work_arg
  and+ quick = quick_arg
  and+ limit = limit_arg
  and+ forms = Output.results_arg
  and+ listing = list_arg in
  let cases = Option.value cases ~default:Case.all in
  match Arguments.repeated (fun (a : Case.t) (b : Case.t) -> String.equal a.name b.name) cases with
  | Some (case, _) -> `Error (false, Printf.sprintf "option '--case': '%s' is given twice" case.name)
  | None when listing -> `Ok (list ())
  | None ->
      let runs = Option.value runs ~default:(if quick then 1 else 3) in
      let share (case : Case.t) =
        match work with
        | Some percent -> float_of_int percent /. 100.
        | None -> if quick then case.quick_share else 1.
      in
      elastic { cases; methods; workloads; domains; share } ~runs ~limit:(float_of_int limit) ~forms

let man =
  [
    `S Manpage.s_description;
    `P
      "Shows what pools cost when there is nothing to do, more domains than processors, or less of the \
       machine than there seems to be. Weft's pools are compared with $(b,parked), a pool made by hand as \
       one would without a library: $(b,Domain.spawn), and workers that wait at a $(b,Condition). Every run \
       is a process of its own; in each round every configuration runs once, in an order shuffled anew. \
       Results are checked.";
    `I ("$(b,idle_cpu)", "a pool of 8 that has worked, and idles: CPU %, of one processor.");
    `I
      ( "$(b,idle_slowdown)",
        "a sequential program that allocates, beside a pool of 8 that has been idle for 50 ms, and without \
         ($(b,no-pool)). The domains of Weft's pools have larger minor heaps, unless told otherwise; in \
         $(b,weft-256k) they have those of OCaml, as the others have." );
    `I
      ( "$(b,burst)",
        "eight tasks submitted together, again and again, to a pool of 8 that has idled for 250 ms, and for \
         1 ms: microseconds until the first has begun, until all have, and until all have ended; and how \
         much later than with $(b,parked). $(b,spawned) has no pool, but a new domain for each task." );
    `I
      ( "$(b,bursts)",
        "a loop of a millisecond of work, again and again, on 2 domains, after rests of 1, 20 and 200 ms: \
         microseconds until a second domain works, and until the loop has ended; the percentage of loops \
         that the caller did alone; how many times as long the loop takes as with $(b,no-pool)." );
    `I
      ( "$(b,crowded)",
        "programs on 2, 4, 8 and 16 domains, and how many times longer they take than on 2. $(b,alloc) and \
         $(b,compute), two thousand tasks of a millisecond that allocate or do not, are for all methods; the \
         others are twelve benchmarks of $(b,weft bench), for Weft only (see --list). $(b,weft bench all \
         --domains 2,8) runs its whole suite so." );
    `I
      ( "$(b,neighbour), $(b,twin), $(b,quota_1), $(b,quota_1_5)",
        "programs beside a process that keeps one processor busy, beside a second process that runs the \
         same, and under a CPU quota of so many processors. For quotas, control groups are made below the \
         one of this process, and removed; where that is not allowed, these cases are left out." );
    `I
      ( "$(b,crowded_loops_1), $(b,crowded_loops_2), $(b,crowded_loops_4)",
        "loops of 10 and 100 us, one after the other, beside 1, 2 and 4 processes that keep a processor busy \
         each: on 2 domains, and how many times longer they take than on one." );
    `I
      ( "$(b,every_ms)",
        "a task every millisecond from outside: CPU %, what that is beyond a program that does the tasks \
         itself, and microseconds from submission to start." );
    `I
      ( "$(b,events)",
        "tasks of 10 us while events for $(b,weft trace) are written, and while not, in turns: by how many \
         percent the former take longer." );
    `S Manpage.s_examples;
    `Pre "  weft bench elastic --json elastic.json";
    `Pre "  weft bench elastic --quick";
    `Pre "  weft bench elastic --case crowded --workload alloc,fib --domains 2,8,32";
    `Pre "  weft bench elastic --case idle_slowdown,quota_1 --method weft,parked --runs 9";
  ]

let cmd = Cmd.v (Cmd.info name ~doc ~man ~exits:Output.exits) (Term.ret term)
