let width = 80

open Words

(* Breaks [text] at spaces; lines after the first are indented. *)
let wrap ?(from = 0) ~indent text buffer =
  let column = ref from in
  let word w =
    let w = if String.length w > width - indent then String.sub w 0 (width - indent) else w in
    if !column > 0 && !column + 1 + String.length w > width then (
      Buffer.add_char buffer '\n';
      Buffer.add_string buffer (String.make indent ' ');
      column := indent;
      Buffer.add_string buffer w)
    else (
      if !column > from then (
        Buffer.add_char buffer ' ';
        incr column);
      Buffer.add_string buffer w);
    column := !column + String.length w
  in
  List.iter word (List.filter (fun w -> w <> "") (String.split_on_char ' ' text));
  Buffer.add_char buffer '\n'

let fit n text =
  let text = printable text in
  if String.length text > n then String.sub text 0 (n - 2) ^ ".." else text

let heading buffer title = Printf.bprintf buffer "\n%s\n" title

let diagnoses buffer (a : Analysis.t) =
  let one i (d : Finding.t) =
    let cost = if d.share = 0. then "" else Printf.sprintf " [%s]" (percent d.share) in
    wrap ~indent:3 (Printf.sprintf "%d. %s%s" (i + 1) d.text cost) buffer;
    if d.advice <> "" then (
      Buffer.add_string buffer "   ";
      wrap ~indent:6 ~from:3 ("-> " ^ d.advice) buffer)
  in
  heading buffer "What took the time (in brackets: the part of the workers' time that it cost)";
  List.iteri one a.diagnoses

(* A bar of [columns] characters, with one letter for each state. *)
let bar columns duration (w : Workers.t) =
  let cell = function
    | Workers.Running -> '#'
    | Collecting -> 'G'
    | Searching -> 's'
    | Parked -> '.'
    | Absent | Away -> ' '
    | Other -> '-'
    | Unknown -> '?'
  in
  let line = Bytes.make columns ' ' in
  let place = ref 0 and sum = ref 0 in
  let add state =
    sum := !sum + Workers.time_in w state;
    let until = if duration = 0 then 0 else ((!sum * columns) + (duration / 2)) / duration in
    for i = !place to min columns until - 1 do
      Bytes.set line i (cell state)
    done;
    place := max !place (min columns until)
  in
  List.iter add Workers.states;
  Bytes.to_string line

let utilisation buffer (a : Analysis.t) =
  if Array.length a.workers > 0 then (
    heading buffer "Workers";
    let unknown = Array.exists (fun w -> Workers.time_in w Unknown > 0) a.workers in
    Printf.bprintf buffer "  %-18s %7s %6s %6s %6s %6s  %s\n" "" "running" "gc" "search" "parked" "absent"
      (if unknown then "# run, G gc, s . ?" else "# run, G gc, s . idle");
    let duration = a.trace.duration in
    let share w states =
      let time = List.fold_left (fun sum state -> sum + Workers.time_in w state) 0 states in
      let x = if duration = 0 then 0. else float_of_int time /. float_of_int duration in
      Printf.sprintf "%.1f" (100. *. x)
    in
    let row (w : Workers.t) =
      Printf.bprintf buffer "  %-18s %7s %6s %6s %6s %6s |%s|\n" (fit 18 w.name) (share w [ Running ])
        (share w [ Collecting ]) (share w [ Searching ]) (share w [ Parked ])
        (share w [ Absent; Away ])
        (bar 20 duration w)
    in
    Array.iter row a.workers;
    Printf.bprintf buffer "  (per cent of the time%s)\n"
      (if unknown then "; ?: not known, events were lost" else ""))

let scheduler buffer (a : Analysis.t) =
  let total = List.fold_left (fun sum (_, _, n) -> sum + n) 0 a.steals in
  let shown = List.filteri (fun i _ -> i < 6) a.steals in
  if total > 0 || a.forks <> None || a.machine <> None || a.process <> None || Activity.tracer a.trace <> None
  then heading buffer "Scheduler and machine";
  Option.iter (fun n -> Printf.bprintf buffer "  forks   %s\n" (count n)) a.forks;
  if total > 0 then (
    Printf.bprintf buffer "  steals  %s\n" (count total);
    let row (thief, victim, n) =
      Printf.bprintf buffer "          %-24s from %-24s %12s\n" (fit 24 thief) (fit 24 victim) (count n)
    in
    List.iter row shown);
  let machine (m : Activity.machine) =
    Printf.bprintf buffer "  machine %s; %s of their time stolen by the hypervisor\n"
      (plural m.processors "processor" "processors")
      (percent m.stolen)
  and process (p : Activity.process) =
    Printf.bprintf buffer "  program %s of CPU time; %s more waiting for %s\n" (duration p.cpu)
      (duration p.waiting)
      (match (p.processors, a.machine) with
      | Some 1, Some m when m.processors > 1 -> "the one it may use"
      | Some n, Some m when n < m.processors -> Printf.sprintf "one of the %d it may use" n
      | _ -> "a processor")
  in
  let tracer (cpu, share) =
    Printf.bprintf buffer "  tracer  %s of CPU time, %s of the processors'\n" (duration cpu) (percent share)
  in
  Option.iter machine a.machine;
  Option.iter process a.process;
  Option.iter tracer (Activity.tracer a.trace)

let columns = [ "count"; "mean"; "p50"; "p90"; "p99"; "p99.9"; "max" ]

let latency_line buffer name show (l : Latency.t) =
  Printf.bprintf buffer "  %-20s %7s" (fit 20 name)
    (if l.count < 1_000_000 then count l.count else amount (float_of_int l.count));
  List.iter
    (fun x -> Printf.bprintf buffer " %7s" x)
    [
      show (Float.to_int (Float.round l.mean));
      show l.p50;
      show l.p90;
      show l.p99;
      show l.p999;
      show l.greatest;
    ];
  Buffer.add_char buffer '\n'

(* [duration] without the space and in seven columns. *)
let short ns = String.concat "" (String.split_on_char ' ' (duration ns))

let table_head buffer title names =
  Printf.bprintf buffer "  %-20s" title;
  List.iter (fun name -> Printf.bprintf buffer " %7s" name) names;
  Buffer.add_char buffer '\n'

let shown_per_group = 12

let delays buffer (a : Analysis.t) =
  if a.delays <> [] then heading buffer "Durations";
  let group g =
    let rows = List.filter (fun (row : Delays.row) -> row.group = g) a.delays in
    if rows <> [] then (
      table_head buffer (Delays.group_name g) columns;
      List.iteri
        (fun i (row : Delays.row) ->
          if i < shown_per_group then latency_line buffer row.name short row.latency)
        rows;
      let more = List.length rows - shown_per_group in
      if more > 0 then Printf.bprintf buffer "  (%d more in --json)\n" more)
  in
  List.iter group Delays.groups

let histogram_rows = 14

let histogram buffer (row : Delays.row) =
  let all = row.latency.histogram in
  let all = List.filteri (fun i _ -> i >= List.length all - histogram_rows) all in
  let most = List.fold_left (fun most (_, n) -> max most n) 1 all in
  heading buffer (Printf.sprintf "How long '%s' took" (printable row.name));
  let line (bound, n) =
    let length = if n = 0 then 0 else max 1 (n * 50 / most) in
    Printf.bprintf buffer "  <= %7s %9s%s" (short bound) (count n)
      (if n = 0 then "" else " " ^ String.make length '*');
    Buffer.add_char buffer '\n'
  in
  List.iter line all

(* For the collections and for the scheduler, the kind of span that took most time. *)
let histograms buffer (a : Analysis.t) =
  let first g =
    let wanted (row : Delays.row) =
      row.group = g && row.latency.count >= 10 && not (List.mem row.name [ "search"; "park" ])
    in
    Option.iter (histogram buffer) (List.find_opt wanted a.delays)
  in
  List.iter first [ Delays.Gc; Scheduler ]

let slowest buffer (a : Analysis.t) =
  let group (g, all) =
    let shown = List.filteri (fun i _ -> i < 5) all in
    if shown <> [] then (
      let which = match g with Delays.Gc -> ", outermost phases" | Scheduler | Program -> "" in
      heading buffer (Printf.sprintf "Slowest: %s%s" (Delays.group_name g) which);
      let row (s : Delays.slow) =
        Printf.bprintf buffer "  %9s  %-28s at %10s  %s\n" (short s.duration) (fit 28 s.name) (short s.start)
          (fit 22 a.trace.tracks.(s.track).label)
      in
      List.iter row shown)
  in
  List.iter group a.slowest

let contention buffer (a : Analysis.t) =
  if a.waits <> [] then (
    heading buffer "Waits for locks and channels";
    table_head buffer "" columns;
    let row (w : Activity.waits) =
      let number = match w.number with Some n -> Printf.sprintf "%d " n | None -> "" in
      let call =
        if String.starts_with ~prefix:"Weft." w.call then String.sub w.call 5 (String.length w.call - 5)
        else w.call
      in
      latency_line buffer (number ^ call) short w.latency
    in
    List.iteri (fun i w -> if i < shown_per_group then row w) a.waits;
    let more = List.length a.waits - shown_per_group in
    if more > 0 then Printf.bprintf buffer "  (%d more in --json)\n" more)

let batches buffer (a : Analysis.t) =
  if a.batches <> [] then (
    heading buffer "Batches: how many operations each";
    table_head buffer "" columns;
    let plain n = amount (float_of_int n) in
    let row (b : Activity.batches) =
      let name = match b.structure with Some n -> Printf.sprintf "structure %d" n | None -> "structure" in
      latency_line buffer name plain b.sizes
    in
    List.iteri (fun i b -> if i < shown_per_group then row b) a.batches)

let summary buffer (a : Analysis.t) =
  wrap ~indent:2 (printable (Analysis.title a)) buffer;
  let lost = a.losses.events in
  wrap ~indent:2
    (Printf.sprintf "%s%s, %s, %s%s%s"
       (if Activity.last a.trace = None then "" else "the last ")
       (duration a.trace.duration)
       (plural (Array.length a.workers) "worker" "workers")
       (plural a.trace.events "event" "events")
       (if lost > 0 then Printf.sprintf ", %s lost" (count lost) else "")
       (if Trace.is_weft a.trace then "" else ", not a trace of weft: its threads count as workers"))
    buffer

let of_analysis a =
  let buffer = Buffer.create 4096 in
  summary buffer a;
  List.iter
    (fun section -> section buffer a)
    [ diagnoses; utilisation; scheduler; delays; histograms; slowest; contention; batches ];
  Buffer.contents buffer
