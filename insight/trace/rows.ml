module Wire = Weft_trace.Wire

type doing =
  | Nothing
  | Runs of { origin : Wire.origin; resumed : bool }
  | Searches of { at_hand : int }
  | Parks

type lane = {
  track : int;
  mutable worker : int;
  mutable doing : doing;
  mutable since : int;
  mutable blocks : (int * int) list;
}

type ring = {
  number : int;
  mutable lanes : lane list;
  mutable last : int;
  mutable words : int;
  mutable read : int;
  mutable lost : Event.lost;
}

type t = {
  telling : Telling.t;
  rings : (int, ring) Hashtbl.t;
  known : (int, Event.worker) Hashtbl.t;
  names : (int, string) Hashtbl.t; (* the names of tracks *)
}

let create telling =
  { telling; rings = Hashtbl.create 16; known = Hashtbl.create 16; names = Hashtbl.create 16 }

(* --- rings --- *)

let ring t number =
  match Hashtbl.find_opt t.rings number with
  | Some r -> r
  | None ->
      let last = Telling.from t.telling in
      let r = { number; lanes = []; last; words = 0; read = 0; lost = { words = 0; events = 0 } } in
      Hashtbl.add t.rings number r;
      r

let reading t number time ~words =
  let r = ring t number in
  r.read <- r.read + 1;
  r.words <- r.words + words;
  if time > r.last then r.last <- time;
  r

(* Until an event has been read, three words for an event are assumed, as most have. *)
let losing r ~words =
  let mean = if r.read = 0 then 3. else float_of_int r.words /. float_of_int r.read in
  let events = max 1 (int_of_float (float_of_int words /. mean)) in
  r.lost <- { words = r.lost.words + words; events = r.lost.events + events };
  events

(* --- who is who --- *)

let know t ~worker ~index ~pool =
  let w = { Event.number = worker; index; pool = Some pool } in
  match Hashtbl.find_opt t.known worker with
  | Some other when other = w -> ()
  | _ -> Hashtbl.replace t.known worker w

let pool_named t worker =
  match Hashtbl.find_opt t.known worker with
  | Some { pool = Some pool; _ } -> [ ("pool", Event.Text pool) ]
  | _ -> []

(* A worker that has not told its identity yet, or whose note was lost, is given by its number alone;
   [workers] in the header says which worker that is. *)
let of_worker t worker =
  match Hashtbl.find_opt t.known worker with
  | Some w -> ("worker", Event.Int w.index) :: pool_named t worker
  | None -> [ ("number", Event.Int worker) ]

let victim t worker =
  match Hashtbl.find_opt t.known worker with
  | Some w -> ("victim", Event.Int w.index)
  | None -> ("victim_number", Event.Int worker)

(* --- rows --- *)

let rows_between = 1000

let new_lane r =
  let track = r.number + (rows_between * List.length r.lanes) in
  let lane = { track; worker = -1; doing = Nothing; since = r.last; blocks = [] } in
  r.lanes <- r.lanes @ [ lane ];
  lane

(* Names the row after its first worker whose identity is known. *)
let give_name t lane =
  if not (Hashtbl.mem t.names lane.track) then
    match Hashtbl.find_opt t.known lane.worker with
    | Some { pool = Some pool; index; _ } ->
        Hashtbl.replace t.names lane.track (Printf.sprintf "worker %d of %s" index pool)
    | _ -> ()

let origin_name : Wire.origin -> string = function
  | Own -> "own"
  | Injector -> "injector"
  | Background -> "background"
  | Stolen _ -> "stolen"

let close ?(found = false) ?(jobs = 1) ?(more = []) t lane time =
  let tell category name arguments =
    Telling.emit t.telling ~track:lane.track ~time:lane.since
      ~arguments:(of_worker t lane.worker @ arguments @ more)
      category name
      (Complete (max 0 (time - lane.since)))
  in
  (match lane.doing with
  | Nothing -> ()
  | Searches { at_hand } ->
      let at_hand = if at_hand > 0 then [ ("at_hand", Event.Int at_hand) ] else [] in
      tell Search "search" (("found", Event.Bool found) :: at_hand)
  | Parks -> tell Park "park" []
  | Runs { origin; resumed } ->
      let from = ("from", Event.Text (origin_name origin)) in
      let from = match origin with Stolen v -> [ from; victim t v ] | _ -> [ from ] in
      let resumed = if resumed then [ ("resumed", Event.Bool true) ] else [] in
      let jobs = if jobs > 1 then [ ("jobs", Event.Int jobs) ] else [] in
      tell Job "job" (from @ resumed @ jobs));
  lane.doing <- Nothing;
  lane.since <- time

let interrupt_lane t lane time =
  close t lane time ~more:[ Telling.unfinished ];
  lane.worker <- -1

let interrupt t r time = List.iter (fun lane -> interrupt_lane t lane time) r.lanes
let is_of worker lane = lane.worker = worker

let leave_elsewhere t worker time =
  let leave _ r =
    Option.iter
      (fun lane -> interrupt_lane t lane (max lane.since (min time r.last)))
      (List.find_opt (is_of worker) r.lanes)
  in
  Hashtbl.iter leave t.rings

let lane t r ~worker time =
  match List.find_opt (is_of worker) r.lanes with
  | Some lane ->
      give_name t lane;
      lane
  | None ->
      leave_elsewhere t worker time;
      let lane = match List.find_opt (is_of (-1)) r.lanes with Some lane -> lane | None -> new_lane r in
      lane.worker <- worker;
      lane.doing <- Nothing;
      lane.since <- time;
      give_name t lane;
      lane

let change t lane time ~jobs doing =
  let found = match doing with Runs _ -> true | Nothing | Searches _ | Parks -> false in
  close t lane time ~found ~jobs;
  lane.blocks <- [];
  lane.doing <- doing

let leave lane = lane.worker <- -1

(* [blocks] are ended blocks, the last first. Blocks that the new one contains are removed; if the one
   before it overlaps, the new one begins at its end. *)
let most_blocks = 8

let add_block lane ~began ~ended =
  let rec before = function (b, _) :: rest when b >= began -> before rest | blocks -> blocks in
  let blocks = before lane.blocks in
  let began = match blocks with (_, until) :: _ -> max began (min until ended) | [] -> began in
  lane.blocks <- (began, ended) :: List.filteri (fun i _ -> i < most_blocks - 1) blocks;
  began

let runs lane = match lane.doing with Runs _ -> true | Nothing | Searches _ | Parks -> false
let running r = List.find_opt runs r.lanes
let running_of r ~worker = List.find_opt (fun lane -> lane.worker = worker && runs lane) r.lanes
let pool_of lane t = match lane with Some lane -> pool_named t lane.worker | None -> []

(* --- in the end --- *)

let rings t =
  List.sort (fun r s -> Int.compare r.number s.number) (Hashtbl.fold (fun _ r rings -> r :: rings) t.rings [])

let workers t = List.sort compare (Hashtbl.fold (fun _ w workers -> w :: workers) t.known [])

let tracks t =
  let name r track =
    Option.value (Hashtbl.find_opt t.names track) ~default:(Printf.sprintf "domain %d" r.number)
  in
  let of_ring r =
    let others = List.filter (fun track -> track <> r.number) (List.map (fun lane -> lane.track) r.lanes) in
    List.map (fun track -> (track, name r track)) (r.number :: others)
  in
  List.concat_map of_ring (rings t)
