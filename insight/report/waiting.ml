open Finding
open Words

let sprintf = Printf.sprintf

let number_of (wait : Activity.waits) =
  let number = match wait.number with Some n -> sprintf " %d" n | None -> "" in
  match wait.name with Some name -> sprintf "%s `%s`" number (printable name) | None -> number

let who (wait : Activity.waits) =
  if wait.waiters > 0 then plural wait.waiters "fiber" "fibers"
  else
    let shown = List.filteri (fun i _ -> i < 4) wait.by in
    String.concat ", " (List.map (fun (name, n) -> sprintf "%s %s times" (printable name) (count n)) shown)

let most_lines = 3

(* Who held the lock, and where; or whom the fibers waited for in the end. *)
let cause (wait : Activity.waits) =
  let waited = Intervals.length wait.moments in
  let held (h : Activity.holder) =
    sprintf " %s held it for %s of that time: %s, %s each." (String.capitalize_ascii h.who)
      (percent (Float.min 1. (ratio h.time waited)))
      (plural h.times "time" "times")
      (duration (h.time / max 1 h.times))
  and led (r : Activity.root) =
    if 2 * r.time < r.length then ""
    else
      sprintf " In the end they waited for %s, which ran for %s of the %s that the chain of waits took." r.who
        (duration r.time) (duration r.length)
  in
  let lines = List.filteri (fun i _ -> i < most_lines) wait.at in
  let locked =
    if lines = [] then "" else " Locked for " ^ String.concat ", " (List.map (sprintf "`%s`") lines) ^ "."
  in
  Option.fold ~none:"" ~some:held wait.holder ^ locked ^ Option.fold ~none:"" ~some:led (Lazy.force wait.root)

let numbers_of_cause (wait : Activity.waits) =
  let text = Option.fold ~none:`Null ~some:(fun s -> `String s) in
  let of_holder (h : Activity.holder) =
    [ ("holder", `String h.who); ("held_times", `Int h.times); ("held_ns", `Int h.time) ]
  and of_root (r : Activity.root) =
    [ ("root", `String r.who); ("root_ns", `Int r.time); ("chain_ns", `Int r.length) ]
  in
  [ ("name", text wait.name); ("waiting_fibers", `Int wait.waiters) ]
  @ Option.fold ~none:[] ~some:of_holder wait.holder
  @ Option.fold ~none:[] ~some:of_root (Lazy.force wait.root)

(* How many locks, or channels, are looked at. *)
let most_objects = 10

let about = function
  | `Lock ->
      ( Lock_contention,
        "lock",
        "Hold it for a shorter time or less often (keep a partial result per worker: Weft.Local, or a \
         reduction), divide the data among several locks, or use a structure of weft-batch." )
  | `Channel ->
      ( Channel_waits,
        "channel or condition",
        "The fibers that send or signal are too slow for those that wait: divide that stage, give the \
         channel a capacity, or give the waiting workers other work." )

let of_wait stretch (idle : Causes.idle) (wait : Activity.waits) moments ~lost =
  let length = Intervals.length stretch.Causes.moments in
  let time = Intervals.length (Intervals.inter wait.moments stretch.moments) in
  let kind, noun, advice = about wait.kind in
  {
    kind;
    share = ratio lost idle.time;
    region = stretch.region;
    worker = Option.map fst (Causes.laziest idle);
    place = Intervals.longest moments;
    numbers =
      [
        ("object", match wait.number with Some n -> `Int n | None -> `Null);
        ("call", `String wait.call);
        ("waits", `Int wait.latency.count);
        ("waiting_share_of_time", `Float (ratio time length));
        ("mean_wait_ns", `Float wait.latency.mean);
        ("longest_wait_ns", `Int wait.latency.greatest);
        ("most_at_once", `Int wait.most);
        ("waits_by_worker", `Assoc (List.map (fun (name, n) -> (name, `Int n)) wait.by));
        ("idle_ns", `Int lost);
      ]
      @ numbers_of_cause wait;
    text =
      sprintf
        "%s: during %s of it fibers waited for %s%s (%s), %s for %s on average, up to %s at once; by %s.%s"
        (Causes.who_was_idle stretch idle)
        (percent (ratio time length))
        noun (number_of wait) (printable wait.call)
        (plural wait.latency.count "time" "times")
        (duration (Float.to_int wait.latency.mean))
        (count wait.most) (who wait) (cause wait);
    advice;
  }

(* Many locks, or channels, of which each cost little. *)
let of_many stretch (idle : Causes.idle) kind (waits : Activity.waits list) moments ~lost =
  let kind, noun, advice = about kind in
  let objects = List.length waits and time = Intervals.length moments in
  let sum f = List.fold_left (fun sum (w : Activity.waits) -> sum + f w.latency) 0 waits in
  let times = sum (fun (l : Latency.t) -> l.count) and total = sum (fun l -> l.total) in
  {
    kind;
    share = ratio lost idle.time;
    region = stretch.Causes.region;
    worker = Option.map fst (Causes.laziest idle);
    place = Intervals.longest moments;
    numbers =
      [
        ("object", `Null);
        ("objects", `Int objects);
        ("waits", `Int times);
        ("waiting_share_of_time", `Float (ratio time (Intervals.length stretch.moments)));
        ("mean_wait_ns", `Float (ratio total times));
        ("idle_ns", `Int lost);
      ];
    text =
      sprintf
        "%s: during %s of it fibers waited for %s, each of which cost little (%s), %s for %s on average."
        (Causes.who_was_idle stretch idle)
        (percent (ratio time (Intervals.length stretch.moments)))
        (plural objects noun (if kind = Lock_contention then "locks" else "channels or conditions"))
        (match waits with w :: _ -> printable w.call | [] -> "")
        (plural times "time" "times")
        (duration (Float.to_int (ratio total times)));
    advice;
  }

(* Each lock, or channel, with its part of what was lost: a moment counts for the one that was waited for
   most. Those that cost little are taken together. *)
let findings stretch (idle : Causes.idle) (part : Causes.part) kind waits =
  let within (wait : Activity.waits) = Intervals.inter wait.moments part.moments in
  let weighed =
    List.filter_map
      (fun (w : Activity.waits) -> if w.kind = kind then Some (Intervals.length (within w), w) else None)
      waits
  in
  let lost_in moments =
    Float.to_int (ratio (Intervals.length moments) (Intervals.length part.moments) *. float_of_int part.time)
  in
  let one (found, few, left) (_, wait) =
    let moments = Intervals.inter (within wait) left in
    let finding = of_wait stretch idle wait moments ~lost:(lost_in moments) in
    if finding.share < least_share then (found, wait :: few, left)
    else ((finding, moments) :: found, few, Intervals.diff left moments)
  in
  let most_first =
    List.stable_sort (fun (a, _) (b, _) -> Int.compare b a) (List.filter (fun (time, _) -> time > 0) weighed)
  in
  let likely = List.filteri (fun i _ -> i < most_objects) most_first in
  let others = List.filteri (fun i _ -> i >= most_objects) most_first in
  let found, few, left = List.fold_left one ([], [], part.moments) likely in
  match List.rev_append few (List.map snd others) with
  | [] -> List.rev found
  | many -> List.rev ((of_many stretch idle kind many left ~lost:(lost_in left), left) :: found)
