open Finding
open Words

let sprintf = Printf.sprintf

type stall = {
  time : int;
  start : int;
  stop : int;
  worker : string;
  fiber : string option;
  call : Trace.span option;
}

let region stall = Option.map (fun (call : Trace.span) -> call.name) stall.call

(* {1 Stalls} *)

let collections (trace : Trace.t) =
  let of_track (track : Trace.track) =
    let gc (s : Trace.span) = if s.category = Gc then Some (s.start, s.stop) else None in
    (track.tid, Intervals.of_list (List.filter_map gc (Array.to_list track.spans)))
  in
  Array.map of_track trace.tracks

(* Two workers may take turns in a domain: the row of its collections is that of the ring. *)
let rows_of_a_ring = 1000

let ring_of tid =
  match int_of_string_opt tid with Some n -> string_of_int (n mod rows_of_a_ring) | None -> tid

let ring (trace : Trace.t) track = ring_of trace.tracks.(track).tid

let collecting (trace : Trace.t) of_tracks (s : Trace.span) =
  let own = ring trace s.track in
  let of_track sum (other, set) =
    if String.equal other own then sum + Intervals.length (Intervals.overlap set ~from:s.start ~until:s.stop)
    else sum
  in
  Array.fold_left of_track 0 of_tracks

let starts_of_domains (trace : Trace.t) =
  let start (i : Trace.instant) =
    if i.category = Worker && i.name = "domain spawn" then Some (i.time, i.time + 1) else None
  in
  Intervals.of_list (List.filter_map start (Array.to_list trace.instants))

(* The tracer looks at the ends of regions, and half a millisecond after a look at the earliest: so a
   region in which a thread was blocked ends just after the stall, and begins so long after it at most. *)
let slack = 1_000_000

let regions (trace : Trace.t) =
  Overlapping.of_list (List.filter (fun (r : Trace.span) -> r.category = Region) (Array.to_list trace.apart))

let call_of (trace : Trace.t) regions (s : Trace.span) =
  let own = ring trace s.track in
  let sooner best (r : Trace.span) =
    match best with
    | Some (b : Trace.span) when b.stop <= r.stop -> best
    | _ -> if String.equal (ring trace r.end_track) own then Some r else best
  in
  Overlapping.fold regions ~from:s.stop ~until:(s.start + slack) sooner None

let least = 1_000_000

(* Who had no processor may have held a lock that this thread needed. Whoever ran for so long meanwhile has let
   it go: the locks of the runtime and of Weft are held for microseconds. *)
let least_running = 3_000_000

let of_trace (trace : Trace.t) workers ~(losses : Losses.t) =
  let is_blocked (s : Trace.span) = s.category = Blocked && s.name = "blocked" in
  let without_processor = Surroundings.without_processor trace in
  let gc = collections trace and starts = starts_of_domains trace and regions = regions trace in
  let fibers = Fibers.of_trace trace in
  let meets set ~from ~until = Intervals.overlap set ~from ~until <> Intervals.empty in
  let stall (s : Trace.span) =
    let blocked = Option.value ~default:0 (Event.int "blocked_ns" s.arguments) in
    let time = blocked - collecting trace gc s in
    if
      time >= least
      && (not (meets losses.gaps ~from:s.start ~until:s.stop))
      && (not (meets starts ~from:s.start ~until:(s.stop + 1)))
      && without_processor ~except:s.track s.start s.stop < time - least_running
    then
      let worker = Workers.name_of trace workers s and call = call_of trace regions s in
      let fiber = Option.map (Fibers.label fibers) (Event.int "fiber" s.arguments) in
      Some { time; start = s.start; stop = s.stop; worker; fiber; call }
    else None
  in
  let blocked = List.filter is_blocked (Array.to_list trace.apart) in
  List.sort (fun a b -> compare (-a.time, a.start) (-b.time, b.start)) (List.filter_map stall blocked)

let time_in stalls (call : Trace.span) =
  let within s = match s.call with Some c -> c == call | None -> false in
  List.fold_left (fun sum s -> if within s then sum + s.time else sum) 0 stalls

(* {1 Findings} *)

let least_long = 10_000_000
let least_stalls = 0.02
let where = function Some name -> sprintf ", in region `%s`" (printable name) | None -> ""

let text region stalls ~time ~outlier =
  let longest = List.hd stalls in
  let at = sprintf "%s at %s" longest.worker (duration longest.start) in
  match stalls with
  | [ _ ] ->
      let who = Option.value longest.fiber ~default:"a fiber" in
      sprintf "%s blocked %s for %s%s%s." (String.capitalize_ascii who) at (duration time) (where region)
        outlier
  | stalls ->
      let who = match longest.fiber with Some who -> who ^ " " | None -> "" in
      sprintf "Fibers blocked their workers %s times, for %s in all%s; the longest, %s%s, for %s%s."
        (count (List.length stalls))
        (duration time) (where region) who at (duration longest.time) outlier

let advice =
  "Make the call that waits in Weft.blocking, or by weft.unix: the fiber is then suspended, and the worker \
   runs others. If nothing waits there: do threads of the program (Thread.create) compute in that domain?"

(* If one of the stalls is what made the region's longest call so long, both are said together. *)
let explains region stalls (o : Outliers.t) =
  region = Some o.region && List.exists (fun s -> o.start < s.stop && s.start < o.stop) stalls

let by_region stalls =
  let table = Hashtbl.create 16 in
  let note s =
    let region = region s in
    Hashtbl.replace table region (s :: Option.value (Hashtbl.find_opt table region) ~default:[])
  in
  List.iter note (List.rev stalls);
  List.sort compare (Hashtbl.fold (fun region stalls all -> (region, stalls) :: all) table [])

let finding ~time_of_all ~outliers (region, stalls) =
  let time = List.fold_left (fun sum s -> sum + s.time) 0 stalls and longest = List.hd stalls in
  let share = ratio time time_of_all in
  if longest.time < least_long && share < least_stalls then None
  else
    let explained = List.find_opt (explains region stalls) outliers in
    let outlier = match explained with Some o -> ": " ^ Outliers.phrase o | None -> "" in
    Some
      ( {
          kind = Blocked_in_fiber;
          share;
          region;
          worker = Some longest.worker;
          place = Some (longest.start, longest.stop);
          numbers =
            [
              ("stalls", `Int (List.length stalls));
              ("blocked_ns", `Int time);
              ("longest_ns", `Int longest.time);
              ("fiber", match longest.fiber with Some who -> `String who | None -> `Null);
            ];
          text = text region stalls ~time ~outlier;
          advice;
        },
        explained )

let findings (trace : Trace.t) workers stalls ~outliers =
  let time_of_all = trace.duration * Array.length workers in
  let is_busy = Surroundings.is_busy trace in
  let counts s = s.time >= if is_busy then Surroundings.least_when_busy else least in
  let stalls = List.filter counts stalls in
  let found =
    if workers = [||] then [] else List.filter_map (finding ~time_of_all ~outliers) (by_region stalls)
  in
  let explained = List.filter_map snd found in
  (List.map fst found, List.filter (fun o -> not (List.memq o explained)) outliers)
