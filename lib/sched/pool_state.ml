exception Closed of string

let () =
  Printexc.register_printer (function
    | Closed pool ->
        Some (Printf.sprintf "Weft.Pool.Closed(%S): what this fiber waited for can no longer happen" pool)
    | _ -> None)

type state = Open | Closing | Ended

type worker_stats = {
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

type root = { mutable context : Fiber.context option; mutable told : bool }
type resident = { parker : Parker.t; mutable called : bool }

type t = {
  name : string;
  parts : Worker.parts;
  wake_word : Deque_cells.word;
  lock : Lock.t; (* guards all that follows *)
  mutable state : state;
  mutable spare : Worker.t array; (* workers whose domains could not be started *)
  mutable own : Own_threads.domain option array; (* of each worker, the last domain that was it *)
  mutable seated : bool;
  mutable resident_wanted : bool; (* the seat is taken for a resident that is still to be started *)
  mutable resting : resident list; (* those that have nothing to do, and may be called again *)
  mutable waiting : Parker.t list; (* outside callers that would sit down, youngest first *)
  mutable roots : root list; (* the outside callers' *)
  mutable abandoned : bool; (* a signal's exception took a caller away from its call *)
  mutable being_closed : bool; (* a thread is at it *)
  mutable seat_kept : bool; (* by the closing, for good *)
  mutable closers : Parker.t list; (* threads that close the pool *)
  stop : bool Atomic.t; (* the workers are to end *)
  quiet : bool Atomic.t; (* while closing: there was nothing left to run *)
  mutable domains : int;
  minor_heap : Minor_heap.choice option; (* of the domains that work in it, if not what new ones have *)
  minor_heap_asked : bool; (* by who made the pool *)
  mutable hold : Minor_heap.hold option; (* of the domain that made the pool, if asked *)
  mutable seat_hold : Minor_heap.hold option; (* of who sits, if it works for long *)
  injections : int Atomic.t; (* jobs ever put into the injector from outside *)
  mutable final : worker_stats array option; (* once ended *)
  mutable last_steps : (unit -> unit) list; (* of closing, still to be taken *)
}

let has_domains p = Array.length p.own > 1
let misuse who fmt = Printf.ksprintf (fun what -> invalid_arg (Printf.sprintf "%s: %s" who what)) fmt

let unpark_all p =
  Array.iter (fun (w : Worker.t) -> Parker.unpark w.sleeper.parker) p.parts.workers;
  List.iter (fun r -> Parker.unpark r.parker) p.resting

let stats p =
  match p.final with
  | Some s -> s
  | None ->
      Array.map
        (fun (w : Worker.t) ->
          {
            forks = Deque_cells.forks w.deque;
            jobs = w.jobs;
            steals = w.steals;
            failed_steals = w.vain_rounds;
            searches = w.sleeper.searches;
            late_finds = w.sleeper.late;
            parks = w.sleeper.parks;
            wakes = w.sleeper.wakes;
            idle_wakes = w.sleeper.idle_wakes;
            suspensions = w.suspensions;
            retired = w.sleeper.retired;
            returns = w.sleeper.returns;
          })
        p.parts.workers

(* --- all open pools, by name --- *)

(* A name without a pool is taken by one that is being made. *)
let pools : (string, t option) Hashtbl.t = Hashtbl.create 8
let pools_lock = Mutex.create ()
let numbered = Atomic.make 1
let find name = Mutex.protect pools_lock (fun () -> Option.join (Hashtbl.find_opt pools name))
let default_name = "default"

(* Reserves the name, or the next unused number. *)
let reserve who name =
  Mutex.protect pools_lock @@ fun () ->
  let rec unused () =
    let name = Printf.sprintf "pool-%d" (Atomic.fetch_and_add numbered 1) in
    if Hashtbl.mem pools name then unused () else name
  in
  let name =
    match name with
    | None -> unused ()
    | Some name when name = default_name && who <> "Weft.Pool.default" ->
        misuse who "the name %S is that of the default pool" name
    | Some name when Hashtbl.mem pools name -> misuse who "there is an open pool named %S already" name
    | Some name -> name
  in
  Hashtbl.add pools name None;
  name

let publish p = Mutex.protect pools_lock (fun () -> Hashtbl.replace pools p.name (Some p))
let unregister name = Mutex.protect pools_lock (fun () -> Hashtbl.remove pools name)

let others p =
  Mutex.protect pools_lock (fun () ->
      Hashtbl.fold (fun _ q found -> match q with Some q when q != p -> q :: found | _ -> found) pools [])

let all () =
  Mutex.protect pools_lock (fun () -> Hashtbl.fold (fun _ p found -> Option.to_list p @ found) pools [])
  |> List.sort (fun p q -> String.compare p.name q.name)

let current () =
  match Worker.current () with
  | None -> None
  | Some w -> (
      match find w.parts.home.name with Some p when p.parts.home == w.parts.home -> Some p | _ -> None)
