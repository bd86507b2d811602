open Weft_bench_harness

let config () =
  let plan = { (Plan.of_all [ Toy.benchmark ~grain:Fixed () ]) with domains = [ 1 ] } in
  List.hd (Result.get_ok (Plan.make plan))

let some_row =
  lazy
    (let (), sample = Meter.measure (fun () -> ()) in
     Row.alone { config = config (); samples = [ sample; sample; sample ]; figures = [ []; []; [] ] })

let figure (title, values) = { Row.title; values; middle = Row.median values }

let row ?(domains = 1) ?cutoff ?(size = 10) ?ns_per_fork ?peak ?(figures = []) bench method_ seconds =
  let role : Contestant.role = if List.mem method_ [ "sequential"; "no-pool" ] then Baseline else Contender in
  {
    (Lazy.force some_row) with
    bench;
    method_;
    role;
    domains;
    cutoff;
    size;
    grain = Cutoff "";
    seconds;
    cpu_runs = seconds;
    cpu_seconds = Row.median seconds;
    median = Row.median seconds;
    min = List.fold_left Float.min Float.infinity seconds;
    ns_per_fork;
    peak_bytes = peak;
    figures = List.map figure figures;
  }

let header ?(processors = 2) () =
  let header = Header.finish (Header.start ()) ~runs:3 in
  let machine =
    { header.machine with processors = Some processors; affinity = Some processors; quota = None }
  in
  { header with machine }

let run ?(source = "made.json") rows =
  { Weft_bench_plots.Run.source; header = header (); rows = Row.compare_all rows }

let file folder name rows =
  let path = Filename.concat folder name in
  let results =
    { Weft_bench_results.Results.header = header (); rows = Row.compare_all rows; skipped = [] }
  in
  Yojson.Safe.to_file path (Weft_bench_results.Results.to_json results);
  path
