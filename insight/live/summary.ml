type totals = {
  seconds : float;
  jobs : float;
  steals : float;
  suspensions : float;
  minor : float;
  lost : int;
}

(* The workers' shares times seconds, in the order in which they came. *)
type t = { totals : totals; workers : Sample.worker list }

let empty =
  { totals = { seconds = 0.; jobs = 0.; steals = 0.; suspensions = 0.; minor = 0.; lost = 0 }; workers = [] }

let combine f (a : Sample.worker) (b : Sample.worker) : Sample.worker =
  {
    name = a.name;
    running = f a.running b.running;
    collecting = f a.collecting b.collecting;
    searching = f a.searching b.searching;
    parked = f a.parked b.parked;
  }

let scaled x w = combine (fun share _ -> share *. x) w w

let add_worker workers (w : Sample.worker) =
  let is_same (other : Sample.worker) = other.name = w.name in
  if List.exists is_same workers then
    List.map (fun other -> if is_same other then combine ( +. ) other w else other) workers
  else workers @ [ w ]

let add t (s : Sample.t) =
  let plus total rate = total +. (rate *. s.span) in
  let { seconds; jobs; steals; suspensions; minor; lost = _ } = t.totals in
  {
    totals =
      {
        seconds = seconds +. s.span;
        jobs = plus jobs s.jobs;
        steals = plus steals s.steals;
        suspensions = plus suspensions s.suspensions;
        minor = plus minor s.minor;
        lost = s.lost;
      };
    workers = List.fold_left add_worker t.workers (List.map (scaled s.span) s.workers);
  }

let count n = if n < 9995. then Printf.sprintf "%.0f" n else View.amount n
let most_places = 5
let most_workers = 16

let first n list ~more =
  let left = List.length list - n in
  List.filteri (fun i _ -> i < n) list @ if left > 0 then [ more left ] else []

let lines { totals; workers } ~waits =
  if totals.seconds <= 0. then []
  else
    let of_worker w = View.worker (scaled (1. /. totals.seconds) w) in
    let place (p : Waits.place) =
      Printf.sprintf "the longest wait in %s: %s (%d of them, %s together)" (View.place p)
        (View.duration p.longest) p.waits (View.duration p.total)
    in
    let whole =
      Printf.sprintf "in %.1f s: %s jobs, %s steals, %s suspensions, %s minor collections%s" totals.seconds
        (count totals.jobs) (count totals.steals) (count totals.suspensions) (count totals.minor)
        (if totals.lost > 0 then "; events were lost, so all this is too low" else "")
    in
    (whole :: first most_workers (List.map of_worker workers) ~more:(Printf.sprintf "... and %d more workers"))
    @ List.map place (List.filteri (fun i _ -> i < most_places) waits)
