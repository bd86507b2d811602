module Words = Weft_events.Words
module Numbers = Map.Make (Int)

type totals = {
  seconds : float;
  jobs : float;
  steals : float;
  suspensions : float;
  minor : float;
  lost : int;
}

type t = {
  totals : totals;
  shares : Sample.worker Numbers.t;  (** the workers' shares times seconds, by number *)
  latest : Sample.worker list;  (** of the last sample *)
}

let empty =
  {
    totals = { seconds = 0.; jobs = 0.; steals = 0.; suspensions = 0.; minor = 0.; lost = 0 };
    shares = Numbers.empty;
    latest = [];
  }

let combine f (a : Sample.worker) (b : Sample.worker) =
  {
    a with
    running = f a.running b.running;
    collecting = f a.collecting b.collecting;
    searching = f a.searching b.searching;
    parked = f a.parked b.parked;
  }

let scaled x w = combine (fun share _ -> share *. x) w w

let add_worker shares (w : Sample.worker) =
  let plus before = Option.fold before ~none:w ~some:(combine ( +. ) w) in
  Numbers.update w.number (fun before -> Some (plus before)) shares

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
    shares = List.fold_left add_worker t.shares (List.map (scaled s.span) s.workers);
    latest = s.workers;
  }

let counted x one many =
  if x < 9994.5 then Words.plural (Float.to_int (Float.round x)) one many else View.amount x ^ " " ^ many

let most_places = 5
let most_workers = 16

(* The rest of the time the worker had no domain, or did not exist. *)
let of_worker (w : Sample.worker) =
  let absent = 1. -. (w.running +. w.collecting +. w.searching +. w.parked) in
  View.worker w ^ if absent >= 0.005 then " absent " ^ View.percent absent else ""

let of_place (p : Waits.place) =
  Printf.sprintf "the longest wait in %s: %s (%s, %s in all)" (View.place p) (Words.duration p.longest)
    (Words.plural p.waits "wait" "waits")
    (Words.duration p.total)

let lines { totals; shares; latest } ~left ~waits =
  if totals.seconds <= 0. then []
  else
    let whole =
      Printf.sprintf "in %.1f s%s: %s, %s, %s, %s%s" totals.seconds
        (if left then ", until 'q'" else "")
        (counted totals.jobs "job" "jobs")
        (counted totals.steals "steal" "steals")
        (counted totals.suspensions "suspension" "suspensions")
        (counted totals.minor "minor collection" "minor collections")
        (if totals.lost > 0 then
           "; events were lost, so these numbers are too low, and shares and waits may be wrong"
         else "")
    in
    let worker (w : Sample.worker) =
      of_worker (scaled (1. /. totals.seconds) (Numbers.find w.number shares))
    in
    (whole :: View.first_workers most_workers (List.map worker latest))
    @ List.map of_place (View.take most_places waits)
