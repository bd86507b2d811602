type span = {
  track : int;
  end_track : int;
  category : Category.t;
  name : string;
  start : int;
  stop : int;
  arguments : Event.arguments;
}

type instant = { track : int; category : Category.t; name : string; time : int; arguments : Event.arguments }
type series = { counter : string; id : string; value : string; samples : (int * float) array }
type track = { pid : string; tid : string; label : string; spans : span array }

type t = {
  weft : (string * Yojson.Safe.t) list;
  tracks : track array;
  apart : span array;
  instants : instant array;
  series : series array;
  duration : int;
  events : int;
  unmatched : int;
}

(* {1 Reading} *)

type edge = { time : int; opens : bool; raw : Event.raw }

type row = {
  number : int;
  mutable label : string option;
  complete : span Dynarray.t;
  edges : edge Dynarray.t;  (** beginnings [B] without end [E] so far, the last first *)
}

type gathering = {
  rows : (string * string, row) Hashtbl.t;
  order : (string * string) Dynarray.t;
  halves : (string * Category.t * string * string, Event.raw list) Hashtbl.t;
      (** async beginnings without end so far, the last first *)
  ends : Event.raw Dynarray.t;  (** async ends that come before their beginning in the file *)
  apart : span Dynarray.t;
  ids : string Dynarray.t;  (** of [apart] *)
  wakes : Wakes.t;
  instants : instant Dynarray.t;
  samples : (string * string * string, (int * float) Dynarray.t) Hashtbl.t;
  names : (string, string) Hashtbl.t;
  arguments : Event.arguments Event.Table.t;
  mutable first : int;
  mutable last : int;
  mutable events : int;
  mutable unmatched : int;
}

let gathering () =
  {
    rows = Hashtbl.create 16;
    order = Dynarray.create ();
    halves = Hashtbl.create 64;
    ends = Dynarray.create ();
    apart = Dynarray.create ();
    ids = Dynarray.create ();
    wakes = Wakes.create ();
    instants = Dynarray.create ();
    samples = Hashtbl.create 16;
    names = Hashtbl.create 64;
    arguments = Event.Table.create 256;
    first = max_int;
    last = min_int;
    events = 0;
    unmatched = 0;
  }

let shared table value =
  match Hashtbl.find_opt table value with
  | Some known -> known
  | None ->
      Hashtbl.add table value value;
      value

(* Arguments often repeat, so equal ones are shared. If they turn out not to repeat, the table is given
   up. *)
let shared_arguments g = function
  | [] -> []
  | arguments -> (
      match Event.Table.find_opt g.arguments arguments with
      | Some known -> known
      | None ->
          if Event.Table.length g.arguments < 50_000 then Event.Table.add g.arguments arguments arguments;
          arguments)

let row g (raw : Event.raw) =
  let key = (raw.pid, raw.tid) in
  match Hashtbl.find_opt g.rows key with
  | Some row -> row
  | None ->
      let number = Dynarray.length g.order in
      let row = { number; label = None; complete = Dynarray.create (); edges = Dynarray.create () } in
      Hashtbl.add g.rows key row;
      Dynarray.add_last g.order key;
      row

let span g (raw : Event.raw) ~track ~end_track ~stop =
  {
    track;
    end_track;
    category = raw.category;
    name = shared g.names raw.name;
    start = raw.time;
    stop = max raw.time stop;
    arguments = shared_arguments g raw.arguments;
  }

let half_key (raw : Event.raw) = (raw.pid, raw.category, raw.id, if raw.id = "" then raw.name else "")

let close g (opening : Event.raw) (closing : Event.raw) =
  let arguments =
    List.filter (fun (key, _) -> not (List.mem_assoc key opening.arguments)) closing.arguments
  in
  let opening = { opening with arguments = opening.arguments @ arguments } in
  let track = (row g opening).number and end_track = (row g closing).number in
  Dynarray.add_last g.ids opening.id;
  Dynarray.add_last g.apart (span g opening ~track ~end_track ~stop:closing.time)

let async_end g (raw : Event.raw) ~otherwise =
  let key = half_key raw in
  match Hashtbl.find_opt g.halves key with
  | Some (opening :: rest) ->
      if rest = [] then Hashtbl.remove g.halves key else Hashtbl.replace g.halves key rest;
      close g opening raw
  | _ -> otherwise raw

let sample g (raw : Event.raw) =
  let add (value, json) =
    match Event.number json with
    | None -> ()
    | Some number ->
        let key = (raw.name, raw.id, value) in
        let samples =
          match Hashtbl.find_opt g.samples key with
          | Some samples -> samples
          | None ->
              let samples = Dynarray.create () in
              Hashtbl.add g.samples key samples;
              samples
        in
        Dynarray.add_last samples (raw.time, number)
  in
  List.iter add raw.arguments

let time g from until =
  g.events <- g.events + 1;
  if from < g.first then g.first <- from;
  if until > g.last then g.last <- until

let take g (raw : Event.raw) =
  match raw.phase with
  | Ignored -> ()
  | Metadata ->
      if raw.name = "thread_name" then
        Option.iter (fun name -> (row g raw).label <- Some name) (Event.text "name" raw.arguments)
  | Complete duration ->
      let row = row g raw and stop = raw.time + duration in
      time g raw.time stop;
      Dynarray.add_last row.complete (span g raw ~track:row.number ~end_track:row.number ~stop)
  | Begin | End ->
      time g raw.time raw.time;
      Dynarray.add_last (row g raw).edges { time = raw.time; opens = raw.phase = Begin; raw }
  | Instant ->
      time g raw.time raw.time;
      let { number; _ } = row g raw in
      let name = shared g.names raw.name and arguments = shared_arguments g raw.arguments in
      Dynarray.add_last g.instants
        { track = number; category = raw.category; name; time = raw.time; arguments }
  | Async_begin ->
      time g raw.time raw.time;
      let key = half_key raw in
      let others = Option.value ~default:[] (Hashtbl.find_opt g.halves key) in
      Hashtbl.replace g.halves key (raw :: others)
  | Async_end ->
      time g raw.time raw.time;
      async_end g raw ~otherwise:(Dynarray.add_last g.ends)
  | Flow -> Wakes.note g.wakes raw
  | Sample ->
      time g raw.time raw.time;
      sample g raw

(* {1 The result} *)

let unfinished = [ ("unfinished", `Bool true) ]

(* [B] and [E] match like brackets. *)
let close_edges g row =
  let edges = Dynarray.to_array row.edges in
  Array.stable_sort (fun a b -> Int.compare a.time b.time) edges;
  let add raw stop =
    Dynarray.add_last row.complete (span g raw ~track:row.number ~end_track:row.number ~stop)
  in
  let follow opened edge =
    match opened with
    | _ when edge.opens -> edge.raw :: opened
    | [] ->
        g.unmatched <- g.unmatched + 1;
        []
    | (raw : Event.raw) :: rest ->
        let more = List.filter (fun (key, _) -> not (List.mem_assoc key raw.arguments)) edge.raw.arguments in
        add { raw with arguments = raw.arguments @ more } edge.time;
        rest
  in
  let left = Array.fold_left follow [] edges in
  g.unmatched <- g.unmatched + List.length left;
  List.iter (fun (raw : Event.raw) -> add { raw with arguments = raw.arguments @ unfinished } g.last) left

let close_halves g =
  Dynarray.iter (async_end g ~otherwise:(fun _ -> g.unmatched <- g.unmatched + 1)) g.ends;
  let left = Hashtbl.fold (fun _ opened all -> List.rev_append opened all) g.halves [] in
  let end_here (raw : Event.raw) =
    g.unmatched <- g.unmatched + 1;
    let track = (row g raw).number in
    let raw = { raw with arguments = raw.arguments @ unfinished } in
    Dynarray.add_last g.ids "";
    Dynarray.add_last g.apart (span g raw ~track ~end_track:track ~stop:g.last)
  in
  List.iter end_here left

let with_wake g i (s : span) =
  let more = Wakes.of_wait g.wakes ~id:(Dynarray.get g.ids i) s.category ~start:s.start ~stop:s.stop in
  if more = [] then s else { s with arguments = s.arguments @ more }

let by_start (a : span) (b : span) =
  match Int.compare a.start b.start with 0 -> Int.compare b.stop a.stop | c -> c

(* After lost events, [weft trace] writes spans before it knows the worker again: they only have the
   worker's number in the process. The header says, by number, which worker that is. *)
let known_workers weft =
  let table = Hashtbl.create 16 in
  let note = function
    | `Assoc worker -> (
        match (Event.int "number" worker, Event.int "worker" worker, Event.text "pool" worker) with
        | Some number, Some index, Some pool -> Hashtbl.replace table number (index, pool)
        | _ -> ())
    | _ -> ()
  in
  (match List.assoc_opt "workers" weft with Some (`List all) -> List.iter note all | _ -> ());
  table

let identified known (arguments : Event.arguments) =
  let number key = Option.bind (Event.int key arguments) (Hashtbl.find_opt known) in
  let add found arguments = found @ List.filter (fun (key, _) -> not (List.mem_assoc key found)) arguments in
  let arguments =
    match number "victim_number" with
    | Some (index, _) -> add [ ("victim", `Int index) ] arguments
    | None -> arguments
  in
  if List.mem_assoc "pool" arguments then arguments
  else
    (* Older traces have the number under [worker]. *)
    let worker = match number "number" with Some found -> Some found | None -> number "worker" in
    match worker with
    | Some (index, pool) -> add [ ("worker", `Int index); ("pool", `String pool) ] arguments
    | None -> arguments

let is_sorted compare a =
  let rec from i = i >= Array.length a || (compare a.(i - 1) a.(i) <= 0 && from (i + 1)) in
  Array.length a < 2 || from 1

let sorted compare items =
  let items = Dynarray.to_array items in
  if not (is_sorted compare items) then Array.stable_sort compare items;
  items

let finish g weft =
  Hashtbl.iter (fun _ row -> close_edges g row) g.rows;
  close_halves g;
  let order = Dynarray.to_array g.order in
  let numbers = Array.init (Array.length order) Fun.id in
  Array.sort (fun a b -> Track_names.compare order.(a) order.(b)) numbers;
  let place = Array.make (Array.length order) 0 in
  Array.iteri (fun i number -> place.(number) <- i) numbers;
  let identified = match weft with [] -> Fun.id | weft -> identified (known_workers weft) in
  let moved (s : span) =
    {
      s with
      arguments = identified s.arguments;
      track = place.(s.track);
      end_track = place.(s.end_track);
      start = s.start - g.first;
      stop = s.stop - g.first;
    }
  in
  let spans items = sorted by_start (Dynarray.map moved items) in
  let track number =
    let ((pid, tid) as key) = order.(number) in
    let row = Hashtbl.find g.rows key in
    {
      pid;
      tid;
      label = Track_names.short (Option.value ~default:("thread " ^ tid) row.label);
      spans = spans row.complete;
    }
  in
  let instant (i : instant) =
    { i with track = place.(i.track); time = i.time - g.first; arguments = identified i.arguments }
  in
  let by_time (a : instant) (b : instant) = Int.compare a.time b.time in
  let series (counter, id, value) samples all =
    let samples = Dynarray.map (fun (time, x) -> (time - g.first, x)) samples in
    { counter; id; value; samples = sorted (fun (a, _) (b, _) -> Int.compare a b) samples } :: all
  in
  let by_name a b = compare (a.counter, a.id, a.value) (b.counter, b.id, b.value) in
  {
    weft;
    tracks = Array.map track numbers;
    apart = spans (Dynarray.mapi (with_wake g) g.apart);
    instants = sorted by_time (Dynarray.map instant g.instants);
    series = Array.of_list (List.sort by_name (Hashtbl.fold series g.samples []));
    duration = g.last - g.first;
    events = g.events;
    unmatched = g.unmatched;
  }

(* In ns. Sums of a hundred such times are still an [int]. *)
let longest = 366. *. 86_400e9

let load path =
  let g = gathering () and shown = Weft_files.Input.shown path in
  match Reader.read path ~f:(take g) with
  | Error _ as error -> error
  | Ok _ when g.events = 0 -> Error (shown ^ ": the trace holds no events")
  | Ok _ when float_of_int g.last -. float_of_int g.first > longest ->
      Error (shown ^ ": its events are more than a year apart; weft report reads at most a year")
  | Ok other -> (
      match List.assoc_opt "weft" other with
      | None -> Ok (finish g [])
      | Some (`Assoc members) -> (
          match List.assoc_opt "version" members with
          | Some (`Int 1) -> Ok (finish g members)
          | version ->
              let version = match version with Some json -> Yojson.Safe.to_string json | None -> "none" in
              Error
                (Printf.sprintf
                   "%s: version %s of Weft's traces; this program reads version 1: use the weft that wrote it"
                   shown version))
      | _ -> Error (shown ^ ": 'weft' in 'otherData' is not an object"))

let is_weft t = t.weft <> []
