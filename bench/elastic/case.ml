open Weft_bench_harness

type condition = Alone | Neighbours of int | Twin | Quota of float

type program = {
  label : string;
  benchmark : Benchmark.t;
  methods : string list;
  cutoff : int option;
  size : float -> int;
}

type t = {
  name : string;
  group : string option;
  doc : string;
  condition : condition;
  programs : program list;
  quick_share : float;
  domains : int list;
  any_domains : bool;
  compare : Row.t list -> Row.t -> Row.figure list;
}

let row_name case program =
  if String.equal program.label "" then case.name else case.name ^ "_" ^ program.label

(* {1 Sizes}

   The size for [share] of the usual work, by how the work grows with the size. *)

let at_least_1 x = max 1 (int_of_float (Float.round x))
let linear size share = at_least_1 (float_of_int size *. share)
let cubic size share = at_least_1 (float_of_int size *. Float.cbrt share)

(* A size greater by one is [factor] times the work. *)
let exponential factor size share = at_least_1 (float_of_int size +. (Float.log share /. Float.log factor))
let golden = 1.618

(* {1 Programs} *)

let suite ?(label = "") ?cutoff name method_ size =
  let is_it (b : Benchmark.t) = String.equal b.name name in
  let benchmark = List.find is_it Weft_bench_suites.Suites.all in
  { label = (if String.equal label "" then name else label); benchmark; methods = [ method_ ]; cutoff; size }

let own ?(label = "") ?methods (benchmark : Benchmark.t) =
  let names = List.map (fun (way : Benchmark.way) -> way.contestant.name) benchmark.ways in
  {
    label;
    benchmark;
    methods = Option.value methods ~default:names;
    cutoff = None;
    size = linear (benchmark.default_size None);
  }

let fib = suite "fib" "par" (exponential golden 38)

(* Each run takes half a second to two seconds on two processors: in shorter runs, the start of the pool
   would dominate the ratios. [reduce] is shorter, since it would need gigabytes. *)
let of_suites =
  [
    fib;
    suite "nqueens" "par" (exponential 6. 13);
    suite "iota" "loop" (linear 8_000_000);
    suite "for_irregular" "loop" (linear 60);
    suite "lu" "loop" (cubic 1_000);
    suite "matmul" "loop" (cubic 800);
    suite "matmul_rec" "par" ~cutoff:64 (cubic 1_024);
    suite "reduce" "loop" (linear 65_000_000);
    suite "scan" "loop" (linear 40_000_000);
    suite "primes" "loop" (linear 16_000_000);
    suite "random_init" "loop" (linear 32_000_000);
    suite "sort_ints" ~label:"sort" "array" (linear 8_000_000);
  ]

(* {1 Figures against other rows} *)

let is_base ~method_ ~domains (row : Row.t) (other : Row.t) =
  Row.same_problem row other && String.equal other.method_ method_ && other.domains = domains

let derived title get values =
  { Row.title; values = List.map get values; middle = Row.median (List.map get values) }

let times_of title find rows (row : Row.t) =
  match List.find_opt (find row) rows with
  | None -> []
  | Some (base : Row.t) -> [ derived title (fun seconds -> seconds /. base.median) row.seconds ]

let times_domains n =
  times_of
    (Printf.sprintf "x %d domain%s" n (if n = 1 then "" else "s"))
    (fun row other -> is_base ~method_:row.method_ ~domains:n row other)

let times_a_domain_less rows (row : Row.t) =
  let base row other = is_base ~method_:row.Row.method_ ~domains:(row.Row.domains - 1) row other in
  times_of "x a domain less" base rows row

let plain_one (row : Row.t) (other : Row.t) = Row.same_problem row other && other.role = Contestant.Baseline
let times_no_pool = times_of "x no-pool" plain_one

(* A figure beside that of another row. *)
let against combine title ~figure find rows (row : Row.t) =
  let figure_of (row : Row.t) =
    List.find_opt (fun (f : Row.figure) -> String.equal f.title figure) row.figures
  in
  match (figure_of row, Option.bind (List.find_opt (find row) rows) figure_of) with
  | Some own, Some base -> [ derived title (fun x -> combine x base.middle) own.values ]
  | _ -> []

let beyond = against ( -. )

let beyond_parked title figure rows (row : Row.t) =
  beyond title ~figure
    (fun row other -> is_base ~method_:Pools.parked.name ~domains:row.domains row other)
    rows row

let all_of comparisons rows row = List.concat_map (fun compare -> compare rows row) comparisons

(* {1 The cases} *)

let idle_domains = 8

let idle name doc programs compare =
  {
    name;
    group = None;
    doc;
    condition = Alone;
    programs;
    quick_share = 0.2;
    domains = [ idle_domains ];
    any_domains = false;
    compare;
  }

(* Such runs take as long as quick runs of the other cases. *)
let quick_share_of_programs = 0.025
let both = [ Pools.parked.name; Pools.weft.name ]

let beside name doc condition =
  {
    name;
    group = Some "beside";
    doc;
    condition;
    programs =
      [ own ~label:"alloc" ~methods:both Loads.alloc; own ~label:"compute" ~methods:both Loads.compute; fib ];
    quick_share = quick_share_of_programs;
    domains = [ 1; 2; 8 ];
    any_domains = true;
    compare = all_of [ times_domains 1; times_domains 2 ];
  }

let bursts =
  let after milliseconds bursts =
    own ~label:(Printf.sprintf "after_%dms" milliseconds) (Bursts.after ~milliseconds ~bursts)
  in
  {
    (idle "bursts" "a loop of a millisecond, again and again, in a pool that rests between"
       [ after 1 100; after 20 60; after 200 20 ]
       (against ( /. ) "x no-pool" ~figure:"burst median us" plain_one))
    with
    domains = [ 2 ];
  }

let crowded_loops n =
  let loops microseconds =
    own ~label:(Printf.sprintf "%dus" microseconds)
      (Weft_bench_suites.Short_loops.of_length microseconds Pools.rival_loops)
  in
  {
    (beside
       (Printf.sprintf "crowded_loops_%d" n)
       (Printf.sprintf "short loops beside %d process%s a processor busy, against a domain less" n
          (if n = 1 then " that keeps" else "es that each keep"))
       (Neighbours n))
    with
    group = Some "crowded_loops";
    programs = [ loops 10; loops 100 ];
    domains = [ 1; 2 ];
    compare = times_a_domain_less;
  }

let all =
  [
    idle "idle_cpu" "processor time of a pool that idles" [ own Programs.idle_cpu ] (fun _ _ -> []);
    idle "idle_slowdown" "a sequential program that allocates, beside a pool that idles, against none"
      [ own Programs.idle_slowdown ]
      times_no_pool;
    idle "burst" "from submitting eight tasks to a pool that idles until they begin and end"
      [ own ~label:"after_250ms" Programs.burst_after_250ms; own ~label:"after_1ms" Programs.burst_after_1ms ]
      (all_of
         [
           beyond_parked "extra first us" "first start median us";
           beyond_parked "extra all us" "all begun median us";
         ]);
    bursts;
    {
      name = "crowded";
      group = None;
      doc = "more domains than processors, against 2 domains";
      condition = Alone;
      programs = own ~label:"alloc" Loads.alloc :: own ~label:"compute" Loads.compute :: of_suites;
      quick_share = quick_share_of_programs;
      domains = [ 2; 4; 8; 16 ];
      any_domains = true;
      compare = times_domains 2;
    };
    beside "neighbour" "beside a process that keeps one processor busy" (Neighbours 1);
    beside "twin" "beside the same program in another process" Twin;
    beside "quota_1" "with a CPU quota of one processor" (Quota 1.);
    beside "quota_1_5" "with a CPU quota of one and a half processors" (Quota 1.5);
    crowded_loops 1;
    crowded_loops 2;
    crowded_loops 4;
    {
      (idle "every_ms"
         "processor time of a pool that gets a task every millisecond, beyond that of the submitter"
         [ own Programs.every_ms ]
         (beyond "beyond %" ~figure:"CPU %" plain_one))
      with
      domains = [ 1; 2; 8 ];
    };
    {
      (idle "events"
         "tasks of 10 us, while the events for weft trace are written, which nobody reads, and while not"
         [ own Events.benchmark ]
         (fun _ _ -> []))
      with
      domains = [ 1; 2 ];
    };
  ]
