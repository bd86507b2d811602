type t = Pools.t

exception Closed = Pool_state.Closed

(* --- making and finding --- *)

let create ?name ?domains ?minor_heap () =
  Pools.create ?name ?domains ?minor_heap ~caller:true "Weft.Pool.create"

let close p = Shutdown.close p "Weft.Pool.close"

let with_pool ?name ?domains ?minor_heap f =
  let p = Pools.create ?name ?domains ?minor_heap ~caller:true "Weft.Pool.with_pool" in
  Shutdown.use_and_close p "Weft.Pool.with_pool" (fun () -> f p)

let default = Pools.default
let default_domains = Pools.default_domains
let current = Pools.current

let[@inline never] no_worker () =
  invalid_arg "Weft.Pool.worker_index: outside a pool; call it in a task, or inside Weft.run"

(* The number of an extra worker. All extra workers have the index 0. *)
let[@inline never] place (w : Worker.t) =
  let rec from i = if w.parts.extras.(i) == w then i else from (i + 1) in
  Array.length w.parts.workers + from 0

let worker_index () =
  if Current_worker.is_outside () then no_worker ()
  else
    let w = Current_worker.worker () in
    let { Worker.workers; first; _ } = w.parts in
    if w.index > 0 then w.index - first
    else if w != workers.(0) then place w
    else if first = 0 then 0
    else Array.length workers - 1

let on_worker = Worker_hooks.add
let find = Pools.find
let name = Pools.name
let domains = Pools.domains
let live_domains = Pools.present
let present = live_domains
let max_active = Pools.room
let room = max_active

(* --- using --- *)

let run p f = Pools.run p f "Weft.Pool.run"

type priority = Normal | Low

let async ?(priority = Normal) ?name p f =
  let f = match name with None -> f | Some name -> Task_name.named name f in
  Promise.Private.of_job (Pools.async ~background:(priority = Low) p f "Weft.Pool.async")

(* --- statistics --- *)

type worker_stats = Worker_stats.t = {
  forks : int;
  jobs : int;
  steals : int;
  failed_steals : int;
  searches : int;
  late_finds : int;
  parks : int;
  wakes : int;
  idle_wakes : int;
  suspensions : int;
  retired : int;
  returns : int;
}

let stats = Pools.stats

let columns =
  [
    ("forks", 14, fun s -> s.forks);
    ("jobs", 12, fun s -> s.jobs);
    ("steals", 10, fun s -> s.steals);
    ("failed steals", 14, fun s -> s.failed_steals);
    ("searches", 10, fun s -> s.searches);
    ("late finds", 10, fun s -> s.late_finds);
    ("parks", 10, fun s -> s.parks);
    ("wakes", 10, fun s -> s.wakes);
    ("idle wakes", 10, fun s -> s.idle_wakes);
    ("suspensions", 12, fun s -> s.suspensions);
    ("retired", 8, fun s -> s.retired);
    ("returns", 8, fun s -> s.returns);
  ]

let pp_stats ppf stats =
  let line head cell =
    head ();
    List.iter (fun (name, width, value) -> Format.fprintf ppf " %*s" width (cell name value)) columns
  in
  Format.fprintf ppf "@[<v>";
  line (fun () -> Format.fprintf ppf "%6s" "worker") (fun name _ -> name);
  Array.iteri
    (fun i s -> line (fun () -> Format.fprintf ppf "@,%6d" i) (fun _ value -> string_of_int (value s)))
    stats;
  Format.fprintf ppf "@]"

module Private = struct
  let to_pools = Fun.id
  let of_pools = Fun.id
  let add_stats = Pool_state.add_stats
end
