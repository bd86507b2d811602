type state = Running | Collecting | Searching | Parked | Absent | Away | Other | Unknown

let states = [ Running; Collecting; Searching; Parked; Absent; Away; Other; Unknown ]

let state_name = function
  | Running -> "running"
  | Collecting -> "gc"
  | Searching -> "searching"
  | Parked -> "parked"
  | Absent -> "absent"
  | Away -> "away"
  | Other -> "other"
  | Unknown -> "unknown"

let at_work = function
  | Running | Collecting -> true
  | Searching | Parked | Absent | Away | Other | Unknown -> false

type t = { name : string; pool : string; number : int; track : int; segments : (int * int * state) array }

(* {1 The worker of a span} *)

type worker = {
  pool : string;
  number : int;
  seen_on : int;
  found : (int * int * state) Dynarray.t;  (** the states seen; in the order of time within each track *)
  gone : (int * bool) Dynarray.t;  (** the times at which it left ([true]) or came *)
}

type known = (string * int, worker) Hashtbl.t

(* The pool of a worker whose identity is unknown: only its number in the process is known. *)
let unknown_pool = ""

let identity (trace : Trace.t) track (arguments : Event.arguments) =
  if Trace.is_weft trace then
    match (Event.text "pool" arguments, Event.int "worker" arguments) with
    | Some pool, Some index -> Some (pool, index)
    | _, index ->
        let number = match Event.int "number" arguments with Some n -> Some n | None -> index in
        Option.map (fun number -> (unknown_pool, number)) number
  else Some (trace.tracks.(track).label, track)

let worker (known : known) track ((pool, number) as key) =
  match Hashtbl.find_opt known key with
  | Some worker -> worker
  | None ->
      let worker = { pool; number; seen_on = track; found = Dynarray.create (); gone = Dynarray.create () } in
      Hashtbl.add known key worker;
      worker

(* {1 The states of a track} *)

(* A collection during a search or a sleep takes no time from work. [domain_condition_wait] is a wait for
   other threads, not a collection. *)
let state_inside weft outer (span : Trace.span) =
  match span.category with
  | Job -> Running
  | Search -> Searching
  | Park -> Parked
  | Gc when span.name <> "domain_condition_wait" -> (
      match outer with Searching | Parked -> outer | _ -> Collecting)
  | _ -> if weft then outer else Running

(* The spans of a track are nested. If spans cross nevertheless, in traces of other programs, the later one
   wins. *)
let sweep trace known number (track : Trace.track) =
  let weft = Trace.is_weft trace in
  let owner = ref None and position = ref 0 in
  let emit until state =
    if until > !position then (
      (match (!owner, state) with
      | Some worker, (Running | Collecting | Searching | Parked) ->
          Dynarray.add_last worker.found (!position, until, state)
      | _ -> ());
      position := until)
  in
  let rec close open_spans time =
    match open_spans with
    | ((span : Trace.span), state) :: rest when span.stop <= time ->
        emit span.stop state;
        close rest time
    | _ ->
        (match open_spans with (_, state) :: _ -> emit time state | [] -> position := max !position time);
        open_spans
  in
  let step open_spans (span : Trace.span) =
    let open_spans = close open_spans span.start in
    Option.iter (fun key -> owner := Some (worker known number key)) (identity trace number span.arguments);
    let outer = match open_spans with (_, state) :: _ -> state | [] -> Other in
    (span, state_inside weft outer span) :: open_spans
  in
  let left = Array.fold_left step [] track.spans in
  ignore (close left max_int : (Trace.span * state) list)

(* {1 From the beginning to the end} *)

let note_presence (trace : Trace.t) known =
  let note (i : Trace.instant) =
    match (i.category, identity trace i.track i.arguments) with
    | Worker, Some key -> (
        let gone = (worker known i.track key).gone in
        match i.name with
        | "leave" | "retire" -> Dynarray.add_last gone (i.time, true)
        | "join" | "return" -> Dynarray.add_last gone (i.time, false)
        | _ -> ())
    | _ -> ()
  in
  if Trace.is_weft trace then Array.iter note trace.instants

(* The last notice before the end of a gap tells whether the worker was absent in it. Both notices and gaps
   come in the order of time. *)
let gap_state gone =
  let next = ref 0 and absent = ref false in
  fun ~until ->
    while !next < Dynarray.length gone && fst (Dynarray.get gone !next) < until do
      absent := snd (Dynarray.get gone !next);
      incr next
    done;
    !absent

(* Fills the gaps: [Other] for a short pause between two spans; [absent] after the worker has left, before
   its first span and after its last; and [Unknown] from the moment at which events were lost. *)
let complete duration ~lost ~absent worker =
  let found = Dynarray.to_array worker.found in
  Array.stable_sort (fun (a, _, _) (b, _, _) -> Int.compare a b) found;
  let segments = Dynarray.create () in
  let add a b state =
    if a < b then
      if Dynarray.is_empty segments then Dynarray.add_last segments (a, b, state)
      else
        let a', b', state' = Dynarray.get_last segments in
        if state = state' && b' = a then Dynarray.set segments (Dynarray.length segments - 1) (a', b, state)
        else Dynarray.add_last segments (a, b, state)
  in
  let fill a b state =
    let known_until = max a (min b (lost ~from:a)) in
    add a known_until state;
    add known_until b Unknown
  in
  let gone = gap_state worker.gone and position = ref 0 in
  let take (a, b, state) =
    let a = max a !position in
    if a > !position then fill !position a (if !position = 0 || gone ~until:a then absent else Other);
    if b > a then (
      ignore (gone ~until:a : bool);
      add a b state;
      position := b)
  in
  Array.iter take found;
  fill !position duration absent;
  Dynarray.to_array segments

(* The beginning of the first gap that ends after [from]. *)
let first_loss (gaps : Intervals.t) ~from =
  let first = Intervals.first_after gaps from and gaps = (gaps :> (int * int) array) in
  if first = Array.length gaps then max_int else fst gaps.(first)

(* Worker 0 of a pool is whoever calls: it need not be there. *)
let absent trace worker =
  if Trace.is_weft trace && worker.pool <> unknown_pool && worker.number = 0 then Away else Absent

let of_trace (trace : Trace.t) ~(losses : Losses.t) =
  let known : known = Hashtbl.create 16 in
  Array.iteri (sweep trace known) trace.tracks;
  note_presence trace known;
  let all = Hashtbl.fold (fun _ worker all -> worker :: all) known [] in
  let all = List.filter (fun worker -> not (Dynarray.is_empty worker.found)) all in
  let all = List.sort (fun a b -> compare (a.pool, a.number) (b.pool, b.number)) all in
  let pools = List.filter (( <> ) unknown_pool) (List.map (fun worker -> worker.pool) all) in
  let several = List.length (List.sort_uniq compare pools) > 1 in
  let finished worker =
    let name =
      if not (Trace.is_weft trace) then worker.pool
      else if worker.pool = unknown_pool then Printf.sprintf "worker number %d" worker.number
      else if several then Printf.sprintf "worker %d of %s" worker.number worker.pool
      else Printf.sprintf "worker %d" worker.number
    in
    {
      name;
      pool = worker.pool;
      number = worker.number;
      track = worker.seen_on;
      segments = complete trace.duration ~lost:(first_loss losses.gaps) ~absent:(absent trace worker) worker;
    }
  in
  Array.of_list (List.map finished all)

let is_of (trace : Trace.t) (t : t) (span : Trace.span) =
  match identity trace span.track span.arguments with
  | Some key -> key = (t.pool, t.number)
  | None -> span.track = t.track

let name_of (trace : Trace.t) all span =
  match Array.find_opt (fun (t : t) -> is_of trace t span) all with
  | Some t -> t.name
  | None -> trace.tracks.(span.track).label

let time_in t wanted =
  Array.fold_left (fun sum (a, b, state) -> if state = wanted then sum + b - a else sum) 0 t.segments

let moments t wanted =
  let items = Dynarray.create () in
  Array.iter (fun (a, b, state) -> if wanted state then Dynarray.add_last items (a, b)) t.segments;
  Intervals.of_sorted (Dynarray.to_array items)
