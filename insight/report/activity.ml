type holder = { who : string; times : int; time : int }
type root = { who : string; time : int; length : int }

type waits = {
  kind : [ `Lock | `Channel ];
  call : string;
  calls : string list;
  number : int option;
  latency : Latency.t;
  moments : Intervals.t;
  most : int;
  by : (string * int) list;
  name : string option;
  at : string list;
  waiters : int;
  holder : holder option;
  root : root option Lazy.t;
}

type batches = { structure : int option; sizes : Latency.t; parallel : int; time : int }
type machine = { processors : int; stolen : float }
type process = { processors : int option; cpu : int; waiting : int }

(* {1 Counting} *)

let count table key by = Hashtbl.replace table key (by + Option.value ~default:0 (Hashtbl.find_opt table key))

let most_first table =
  let items = Hashtbl.fold (fun key n items -> (key, n) :: items) table [] in
  List.sort (fun (a, n) (b, m) -> compare (-n, a) (-m, b)) items

let grouped key items =
  let table = Hashtbl.create 16 in
  let add item =
    let key = key item in
    match Hashtbl.find_opt table key with
    | Some group -> Dynarray.add_last group item
    | None -> Hashtbl.add table key (Dynarray.of_list [ item ])
  in
  Array.iter add items;
  Hashtbl.fold (fun key group groups -> (key, Dynarray.to_array group) :: groups) table []

let last (trace : Trace.t) = Option.bind (List.assoc_opt "last_s" trace.weft) Event.number

let of_category categories (trace : Trace.t) =
  let wanted (span : Trace.span) = List.mem span.category categories in
  Array.of_seq (Seq.filter wanted (Array.to_seq trace.apart))

(* {1 The scheduler} *)

let steals (trace : Trace.t) =
  let table = Hashtbl.create 16 in
  let several_pools =
    let pool (i : Trace.instant) = Event.text "pool" i.arguments in
    let of_steals =
      Seq.filter (fun (i : Trace.instant) -> i.category = Steal) (Array.to_seq trace.instants)
    in
    List.length (List.sort_uniq compare (List.of_seq (Seq.filter_map pool of_steals))) > 1
  in
  let name arguments ~index ~number =
    match (Event.text "pool" arguments, Event.int index arguments, Event.int number arguments) with
    | Some pool, Some n, _ when several_pools -> Printf.sprintf "worker %d of %s" n pool
    | Some _, Some n, _ -> Printf.sprintf "worker %d" n
    | _, None, Some n | None, Some n, _ -> Printf.sprintf "worker number %d" n
    | _, None, None -> "?"
  in
  let note (i : Trace.instant) =
    if i.category = Steal && i.name = "steal" then
      let thief = name i.arguments ~index:"worker" ~number:"number"
      and victim = name i.arguments ~index:"victim" ~number:"victim_number" in
      count table (thief, victim) 1
  in
  Array.iter note trace.instants;
  List.map (fun ((thief, victim), n) -> (thief, victim, n)) (most_first table)

let series_named name (trace : Trace.t) =
  List.filter
    (fun (s : Trace.series) -> s.counter = name && Array.length s.samples > 0)
    (Array.to_list trace.series)

let first_and_last (s : Trace.series) = (s.samples.(0), s.samples.(Array.length s.samples - 1))

(* A worker may have made forks before its first sample. If the trace shows the worker's start, these count
   too. Traces of [weft attach], of rings, and of only the end of a run, may not show it. In the last kind, a
   worker that existed before has a sample at time 0 with its forks until then. *)
let start_is_shown trace (s : Trace.series) =
  match List.assoc_opt "by" trace.Trace.weft with
  | Some (`String ("attach" | "rings")) -> false
  | _ -> last trace = None || fst s.samples.(0) > 0

(* The forks between two samples, one after the other. Workers of successive pools may have the same number:
   then the count begins anew. *)
let fold_forks f init trace (s : Trace.series) =
  let step (all, (from, before)) (until, after) =
    let made = if after < before then after else after -. before in
    (f all ~from ~until made, (until, after))
  in
  let start = if start_is_shown trace s then (0, 0.) else s.samples.(0) in
  fst (Array.fold_left step (init, start) s.samples)

let forks trace =
  match series_named "forks" trace with
  | [] -> None
  | all ->
      let add sum ~from:_ ~until:_ made = sum +. made in
      Some (Float.to_int (List.fold_left (fun sum s -> fold_forks add sum trace s) 0. all))

(* So much of the time between samples that have some of the moments between them must be such moments. *)
let least_within = 0.75

let forks_within trace moments =
  let add (forks, inside, all) ~from ~until made =
    let part = Intervals.length (Intervals.overlap moments ~from ~until) in
    if part = 0 then (forks, inside, all)
    else (forks +. (made *. Finding.ratio part (until - from)), inside + part, all + until - from)
  in
  let forks, inside, all =
    List.fold_left (fun sums s -> fold_forks add sums trace s) (0., 0, 0) (series_named "forks" trace)
  in
  if all > 0 && (forks = 0. || Finding.ratio inside all >= least_within) then Some (Float.to_int forks)
  else None

(* {1 Waits} *)

let is_condition name =
  name = "Weft.Poisoning_mutex.wait"
  ||
  let part = "Condition" in
  let length = String.length part in
  let rec from i = i + length <= String.length name && (String.sub name i length = part || from (i + 1)) in
  from 0

let durations spans = Array.map (fun (span : Trace.span) -> span.stop - span.start) spans

let most_at_once spans =
  let edges = Dynarray.create () in
  let add (span : Trace.span) =
    if span.start < span.stop then (
      Dynarray.add_last edges (span.start, 1);
      Dynarray.add_last edges (span.stop, -1))
  in
  Array.iter add spans;
  let edges = Dynarray.to_array edges in
  Array.stable_sort compare edges;
  let _, most = Array.fold_left (fun (now, most) (_, by) -> (now + by, max most (now + by))) (0, 0) edges in
  most

let moments spans = Intervals.of_sorted (Array.map (fun (span : Trace.span) -> (span.start, span.stop)) spans)

let distinct key spans =
  let table = Hashtbl.create 8 in
  Array.iter (fun (s : Trace.span) -> Option.iter (fun v -> count table v 1) (key s.arguments)) spans;
  List.map fst (most_first table)

(* The last wait whose end is known. *)
let root fibers chains spans =
  let later (a : Trace.span option) (b : Trace.span) =
    match a with Some a when a.stop >= b.stop -> Some a | _ -> Some b
  in
  Option.bind (Array.fold_left later None (Losses.whole spans)) @@ fun last ->
  match Chains.root (Lazy.force chains) last with
  | Some r when Event.int "fiber" last.arguments <> Some r.fiber ->
      Some { who = Fibers.label fibers r.fiber; time = r.time; length = r.length }
  | _ -> None

let waits (trace : Trace.t) =
  let fibers = Fibers.of_trace trace and chains = lazy (Chains.of_trace trace) in
  let key (span : Trace.span) =
    let kind = if span.category = Lock && not (is_condition span.name) then `Lock else `Channel in
    let number = Event.int "object" span.arguments in
    (kind, number, if number = None then span.name else "")
  in
  let of_group ((kind, number, _), spans) =
    let tracks = Hashtbl.create 8 and calls = Hashtbl.create 4 in
    let note (span : Trace.span) =
      count tracks trace.tracks.(span.track).label 1;
      count calls span.name 1
    in
    Array.iter note spans;
    let calls = List.map fst (most_first calls) in
    let latency = Option.get (Latency.of_durations (durations (Losses.whole spans))) in
    let call = List.hd calls in
    {
      kind;
      call;
      calls;
      number;
      latency;
      moments = moments spans;
      most = most_at_once spans;
      by = most_first tracks;
      name = List.nth_opt (distinct (Event.text "named") spans) 0;
      at = distinct (Event.text "at") spans;
      waiters = List.length (distinct (Event.int "fiber") spans);
      holder =
        (match if kind = `Lock then Holders.of_waits spans else [] with
        | { fiber; times; time } :: _ -> Some { who = Fibers.label fibers fiber; times; time }
        | [] -> None);
      root = lazy (if kind = `Channel then root fibers chains spans else None);
    }
  in
  let all = List.map of_group (grouped key (of_category [ Lock; Channel ] trace)) in
  List.sort (fun a b -> compare (-a.latency.total, a.number) (-b.latency.total, b.number)) all

(* A greater size is a mistake of the file's; sums of such ones might overflow. *)
let greatest_batch = 1 lsl 40

let batches trace =
  let structure (span : Trace.span) = Event.int "structure" span.arguments in
  let of_group (structure, spans) =
    let is_possible n = n >= 0 && n <= greatest_batch in
    let size (span : Trace.span) =
      Option.bind (Event.int "size" span.arguments) (fun n -> if is_possible n then Some n else None)
    in
    let sizes = Array.of_list (List.filter_map size (Array.to_list spans)) in
    let parallel =
      Array.fold_left
        (fun n (s : Trace.span) -> if Event.bool "parallel" s.arguments then n + 1 else n)
        0 spans
    in
    let time = Array.fold_left ( + ) 0 (durations spans) in
    Option.map (fun sizes -> { structure; sizes; parallel; time }) (Latency.of_durations sizes)
  in
  let all = List.filter_map of_group (grouped structure (of_category [ Batch ] trace)) in
  List.sort (fun a b -> compare (-a.sizes.total, a.structure) (-b.sizes.total, b.structure)) all

(* {1 The machine} *)

(* The system counts in steps of 10 ms, so shorter traces tell nothing. *)
let least_ms = 20.

let machine trace =
  let value name =
    List.find_opt
      (fun (s : Trace.series) -> s.value = name && s.counter = "cpu")
      (Array.to_list trace.Trace.series)
  in
  match (value "total_ms", value "steal_ms") with
  | Some total, Some steal when Array.length total.samples > 1 && Array.length steal.samples > 1 ->
      let (t0, cpu0), (t1, cpu1) = first_and_last total in
      let (_, steal0), (_, steal1) = first_and_last steal in
      let ms = float_of_int (t1 - t0) /. 1e6 and cpu = cpu1 -. cpu0 in
      if ms < least_ms || cpu <= 0. then None
      else
        Some
          { processors = max 1 (Float.to_int (Float.round (cpu /. ms))); stolen = (steal1 -. steal0) /. cpu }
  | _ -> None

(* What samples of a smaller part of the trace say is not true of all of it. *)
let least_sampled = 0.1

(* Extrapolates to the whole trace: the samples begin a little after the program and end before it. *)
let process trace =
  let is_enough s =
    let (first, _), (last, _) = first_and_last s in
    last > first && float_of_int (last - first) >= least_sampled *. float_of_int trace.Trace.duration
  in
  let value name =
    List.find_opt
      (fun (s : Trace.series) -> s.value = name && Array.length s.samples > 1 && is_enough s)
      (series_named "process" trace)
  in
  let processors = Option.map (fun s -> Float.to_int (snd (snd (first_and_last s)))) (value "processors") in
  match (value "cpu_us", value "waiting_us") with
  | Some cpu, Some waiting ->
      let during series =
        let (t0, before), (t1, after) = first_and_last series in
        let length = float_of_int (max 1 (t1 - t0)) in
        Float.to_int (Float.max 0. (after -. before) *. 1e3 *. float_of_int trace.duration /. length)
      in
      Some { processors; cpu = during cpu; waiting = during waiting }
  | _ -> None

let processors trace =
  let of_machine = Option.map (fun (m : machine) -> m.processors) (machine trace) in
  let allowed = Option.bind (process trace) (fun (p : process) -> p.processors) in
  match (of_machine, allowed) with
  | Some all, Some allowed -> Some (min all allowed)
  | Some n, None | None, Some n -> Some n
  | None, None -> None

(* What the header tells is of the whole time, of which [weft trace --last] shows only the end. *)
let tracer (trace : Trace.t) =
  let number key = Option.bind (List.assoc_opt key trace.weft) Event.number in
  match (number "tracer_cpu_ns", number "duration_ns") with
  | Some cpu, Some whole when whole > 0. ->
      let share = cpu /. whole in
      let processors = float_of_int (Option.value ~default:1 (processors trace)) in
      Some (Float.to_int (share *. float_of_int trace.duration), Float.min 1. (share /. processors))
  | _ -> None
