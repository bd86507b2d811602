type t = {
  strategy : Explore_settings.strategy;
  replay : (string * int, string) Hashtbl.t option;
  mutable random : int;
  haste : int;  (** of 16 times that a random walk comes to let time pass, it does so this many times *)
  priorities : (string, int) Hashtbl.t;
  changes : (int, int) Hashtbl.t; (* the number of a decision, and the priority that its fiber gets *)
  mutable decisions : int;
  mutable lowest : int;
  mutable fitting : int;
}

(* Splitmix (Steele et al. 2014), on 62 bits: the same on every machine and with every OCaml. *)
let below t n =
  t.random <- t.random + 0x1E3779B97F4A7C15;
  let x = t.random in
  let x = x lxor (x lsr 30) * 0x3F58476D1CE4E5B9 in
  let x = x lxor (x lsr 27) * 0x14D049BB133111EB in
  let x = x lxor (x lsr 31) land max_int in
  x mod n

let most_changes = 100_000
let hastes = [| 0; 1; 4; 16 |]

let make ?schedule (s : Explore_settings.t) =
  let table choices =
    let table = Hashtbl.create 64 in
    List.iter (fun (c : Schedule_file.choice) -> Hashtbl.replace table (c.fiber, c.point) c.takes) choices;
    table
  in
  let t =
    {
      strategy = s.strategy;
      replay = Option.map table schedule;
      random = s.seed * 0x2545F4914F6CDD1D;
      haste = hastes.(s.seed / 2 land 3);
      priorities = Hashtbl.create 64;
      changes = Hashtbl.create 8;
      decisions = 0;
      lowest = 0;
      fitting = 0;
    }
  in
  (match s.strategy with
  | Priorities { depth; length } ->
      for i = 1 to min most_changes (min length (depth - 1)) do
        Hashtbl.replace t.changes (1 + below t length) (-i)
      done;
      t.lowest <- -depth
  | First | Random_walk -> ());
  t

(* Time, if it is an option, is the last one, beside a fiber. *)
let walk t options =
  let n = List.length options in
  let takes = List.nth options (below t n) in
  if takes <> Schedule_file.time || below t 16 < t.haste then takes else List.nth options (below t (n - 1))

let new_priority t fiber =
  let p = 1 + below t 0x3FFFFFFF in
  Hashtbl.replace t.priorities fiber p;
  p

let priority t fiber =
  match Hashtbl.find_opt t.priorities fiber with Some p -> p | None -> new_priority t fiber

let lower t fiber =
  t.lowest <- t.lowest - 1;
  Hashtbl.replace t.priorities fiber t.lowest

let by_priority t ~current options =
  (match Hashtbl.find_opt t.changes t.decisions with
  | Some p -> Hashtbl.replace t.priorities current p
  | None -> ());
  let higher best option = if priority t option > priority t best then option else best in
  let takes = List.fold_left higher (List.hd options) (List.tl options) in
  (* Else a fiber that sleeps again and again would keep others from going on for ever. *)
  if takes = Schedule_file.time then
    if below t 2 = 0 then lower t takes else ignore (new_priority t takes : int);
  takes

let by_strategy t ~current ~yields options =
  match t.strategy with
  | First -> List.hd options
  | Random_walk -> walk t options
  | Priorities _ ->
      (* Else a fiber that yields until another one has done something would wait for ever. *)
      if yields then lower t current;
      by_priority t ~current options

let choose t ~fiber ~point ~yields options =
  t.decisions <- t.decisions + 1;
  let planned = Option.bind t.replay (fun table -> Hashtbl.find_opt table (fiber, point)) in
  match planned with
  | Some takes when List.mem takes options ->
      t.fitting <- t.fitting + 1;
      takes
  | Some _ -> List.hd options
  | None -> by_strategy t ~current:fiber ~yields options

let decisions t = t.decisions
let misfits t = match t.replay with Some table -> Hashtbl.length table - t.fitting | None -> 0
