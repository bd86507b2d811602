exception Closed of string

let () =
  Printexc.register_printer (function
    | Closed pool ->
        Some
          (Printf.sprintf
             "Weft.Pool.Closed(%S): what this fiber waited for can no longer happen; close the pool after \
              that"
             pool)
    | _ -> None)

include Pool_types

let has_domains p = Array.length p.own > 1
let misuse who fmt = Printf.ksprintf (fun what -> invalid_arg (Printf.sprintf "%s: %s" who what)) fmt
let all_workers p = Array.append p.parts.workers p.parts.extras

let unpark_all p =
  Array.iter (fun (w : Worker.t) -> Parker.unpark w.sleeper.parker) (all_workers p);
  List.iter (fun (r : fallback) -> Parker.unpark r.parker) p.resting

let stats_of (w : Worker.t) : Worker_stats.t =
  let c = w.sleeper.counts in
  {
    forks = Deque_memory.forks w.deque;
    jobs = w.jobs;
    steals = c.steals;
    failed_steals = c.failed_steals;
    searches = c.searches;
    late_finds = c.late_finds;
    parks = c.parks;
    wakes = c.wakes;
    idle_wakes = c.idle_wakes;
    suspensions = w.suspensions;
    retired = c.retired;
    returns = c.returns;
  }

let add_stats (a : Worker_stats.t) (b : Worker_stats.t) : Worker_stats.t =
  {
    forks = a.forks + b.forks;
    jobs = a.jobs + b.jobs;
    steals = a.steals + b.steals;
    failed_steals = a.failed_steals + b.failed_steals;
    searches = a.searches + b.searches;
    late_finds = a.late_finds + b.late_finds;
    parks = a.parks + b.parks;
    wakes = a.wakes + b.wakes;
    idle_wakes = a.idle_wakes + b.idle_wakes;
    suspensions = a.suspensions + b.suspensions;
    retired = a.retired + b.retired;
    returns = a.returns + b.returns;
  }

let stats p =
  match p.final with
  | Some s -> s
  | None ->
      let workers = Array.map stats_of p.parts.workers in
      workers.(0) <- Array.fold_left (fun all w -> add_stats all (stats_of w)) workers.(0) p.parts.extras;
      workers

(* --- all open pools, by name --- *)

(* A name without a pool is reserved by a pool that is being made. *)
module Names = Map.Make (String)

(* Read without a lock: a signal handler may call [exit] at any point, and that goes through all pools. *)
let pools : t option Names.t Atomic.t = Atomic.make Names.empty
let numbered = Atomic.make 1
let find name = Option.join (Names.find_opt name (Atomic.get pools))

let rec change f =
  let was = Atomic.get pools in
  if not (Atomic.compare_and_set pools was (f was)) then change f

let default_name = "default"

(* A default pool that is being closed keeps its place under another name: the next one need not wait. *)
let set_aside pools =
  match Names.find_opt default_name pools with
  | Some (Some _ as closing) ->
      let name = Printf.sprintf "%s, being closed (%d)" default_name (Atomic.fetch_and_add numbered 1) in
      Names.add name closing (Names.remove default_name pools)
  | Some None | None -> pools

(* Reserves the name, or the next unused number. *)
let rec reserve who name =
  let all = Atomic.get pools in
  let was = if name = Some default_name then set_aside all else all in
  let rec unused () =
    let name = Printf.sprintf "pool-%d" (Atomic.fetch_and_add numbered 1) in
    if Names.mem name was then unused () else name
  in
  let reserved =
    match name with
    | None -> unused ()
    | Some name when name = default_name && who <> "Weft.Pool.default" ->
        misuse who "the name %S is that of the default pool" name
    | Some name when Names.mem name was ->
        misuse who "there is an open pool named %S already; Weft.Pool.find gives it, or choose another name"
          name
    | Some name -> name
  in
  if Atomic.compare_and_set pools all (Names.add reserved None was) then reserved else reserve who name

let publish p = change (Names.add p.name (Some p))
let unregister p = change (Names.filter (fun _ q -> match q with Some q -> q != p | None -> true))
let all () = List.filter_map snd (Names.bindings (Atomic.get pools))
let others p = List.filter (fun q -> q != p) (all ())

let current () =
  match Worker.current () with
  | None -> None
  | Some w -> (
      let is_mine p = p.parts.home == w.parts.home in
      match find w.parts.home.name with
      | Some p when is_mine p -> Some p
      | Some _ | None -> List.find_opt is_mine (all ()))
