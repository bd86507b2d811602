open Weft_bench_harness
open Weft_bench_elastic

type library = Weft_domainslib | Domainslib

let name = function Weft_domainslib -> "weft-domainslib" | Domainslib -> "domainslib"

(* --- the executables --- *)

type programs = string

(* In a build folder, weft is bin/main.exe; installed, it is bin/weft, and its helpers are in libexec. *)
let candidates = function
  | Weft_domainslib -> [ "../bench/compat/on_weft/main.exe"; "../lib/weft-tools/compat-weft.exe" ]
  | Domainslib ->
      [ "../bench/compat/on_domainslib/compat-domainslib.exe"; "../lib/weft-tools/compat-domainslib.exe" ]

let locate ~program library =
  let folder = Filename.dirname program in
  List.find_opt Sys.file_exists (List.map (Filename.concat folder) (candidates library))

type measurable = { program : string; size : int }

let list ?(limit = 20.) programs =
  match Processes.run ~limit programs [ "list" ] with
  | Failed reason -> Error (Printf.sprintf "%s: %s" programs reason)
  | Over_limit -> Error (programs ^ ": it does not answer")
  | Exited text ->
      let measurable line =
        match String.split_on_char ' ' line with
        | [ program; size ] -> Option.map (fun size -> { program; size }) (int_of_string_opt size)
        | _ -> None
      in
      Ok (List.filter_map measurable (String.split_on_char '\n' text))

(* --- runs --- *)

type entry = { library : library; measurable : measurable; domains : int }

let describe { library; measurable = { program; size }; domains } =
  Printf.sprintf "%s %d, %s, %d domain%s" program size (name library) domains
    (if domains = 1 then "" else "s")

exception Failed of string

let cpu_of_children () =
  let times = Unix.times () in
  times.tms_cutime +. times.tms_cstime

(* What a run took, and what it printed. *)
let run_once ~programs ~limit entry =
  let { library; measurable = { program; size }; domains } = entry in
  let arguments = [ "run"; program; string_of_int domains; string_of_int size ] in
  let cpu = cpu_of_children () and clock = Mtime_clock.counter () in
  match Processes.run ~limit (List.assoc library programs) arguments with
  | Failed reason -> raise (Failed (describe entry ^ ": " ^ reason))
  | Over_limit -> raise (Failed (Printf.sprintf "%s: not over after %g seconds" (describe entry) limit))
  | Exited output ->
      let seconds = Mtime.Span.to_float_ns (Mtime_clock.count clock) /. 1e9 in
      let sample =
        {
          Meter.seconds;
          cpu_seconds = cpu_of_children () -. cpu;
          switches = None;
          minor_collections = None;
          major_collections = None;
          peak_bytes = None;
        }
      in
      (sample, output)

(* All runs of one program print the same, with whatever library, on however many domains. *)
let check outputs entry output =
  let program = entry.measurable.program in
  match Hashtbl.find_opt outputs program with
  | None -> Hashtbl.add outputs program (entry, output)
  | Some (first, expected) ->
      if not (String.equal expected output) then
        let one_line text = String.concat " / " (String.split_on_char '\n' (String.trim text)) in
        raise
          (Failed
             (Printf.sprintf "wrong result: %s printed '%s', %s '%s'" (describe first) (one_line expected)
                (describe entry) (one_line output)))

(* --- rows --- *)

let benchmark { program; size } : Benchmark.t =
  {
    name = program;
    group = Some "compat";
    doc = "a program written against domainslib";
    size_doc = "its own";
    grain = Fixed;
    sizes = (size, size);
    default_cutoffs = [ None ];
    default_size = (fun _ -> size);
    more_sizes = [];
    quick_size = (fun _ -> size);
    sweep_cutoffs = [];
    sweep_sizes = [];
    paced = false;
    ways = [];
  }

let contestant library : Contestant.t =
  {
    name = name library;
    doc = "programs written against domainslib, with the library " ^ name library;
    role = Contender;
    inside = (fun ~domains:_ f -> f ());
  }

(* What was computed lies in other processes. *)
let nothing =
  Benchmark.Work
    {
      prepare = ignore;
      compute = ignore;
      check = (fun () -> Ok ());
      forks = None;
      figures = Benchmark.no_figures;
    }

let row ({ library; measurable; domains }, samples) =
  let params = { Benchmark.size = measurable.size; cutoff = None; domains } in
  let config =
    { Plan.benchmark = benchmark measurable; contestant = contestant library; params; work = nothing }
  in
  Row.alone { config; samples; figures = List.map (fun _ -> []) samples }

let ratio_title = "x domainslib"

let rival (row : Row.t) (other : Row.t) =
  String.equal other.bench row.bench && other.domains = row.domains && other.size = row.size
  && String.equal other.method_ (name Domainslib)

let compared rows (row : Row.t) =
  match if String.equal row.method_ (name Domainslib) then None else List.find_opt (rival row) rows with
  | None -> row
  | Some other ->
      let ratio = row.median /. other.median in
      { row with figures = [ { title = ratio_title; values = [ ratio ]; middle = ratio } ] }

let run ~programs ~runs ~limit ~progress entries =
  if runs < 1 then invalid_arg "Comparing.run: runs < 1";
  let slots = List.map (fun entry -> (entry, ref [])) entries and outputs = Hashtbl.create 32 in
  let together (entry, _) = entry.measurable.program in
  let one ~round (entry, samples) =
    progress ~round entry;
    let sample, output = run_once ~programs ~limit entry in
    check outputs entry output;
    samples := sample :: !samples
  in
  match
    for round = 1 to runs do
      List.iter (one ~round) (Rounds.order ~round ~together slots)
    done
  with
  | exception Failed reason -> Error reason
  | () ->
      let rows = List.map (fun (entry, samples) -> row (entry, List.rev !samples)) slots in
      Ok (List.map (compared rows) rows)

(* --- in a word --- *)

let bearable = 1.05

let verdict rows =
  let ratio (row : Row.t) = match row.figures with [ { middle; _ } ] -> Some (row, middle) | _ -> None in
  let by_ratio = List.sort (fun (_, a) (_, b) -> Float.compare a b) (List.filter_map ratio rows) in
  let show ((row : Row.t), x) = Printf.sprintf "%.2fx (%s, domains: %d)" x row.bench row.domains in
  match by_ratio with
  | [] -> ""
  | ((_ : Row.t), _) :: _ ->
      let n = List.length by_ratio in
      let slower = List.filter (fun (_, x) -> x > bearable) by_ratio in
      let of_slower =
        if slower = [] then "none slower than 1.05x"
        else "slower than 1.05x: " ^ String.concat ", " (List.map show (List.rev slower))
      in
      Printf.sprintf "ratio of weft-domainslib's time to domainslib's: from %s to %s; %s\n"
        (show (List.hd by_ratio))
        (show (List.nth by_ratio (n - 1)))
        of_slower
