type kind =
  | Balanced
  | Too_little_parallelism
  | Long_block
  | Large_chunk
  | Lock_contention
  | Channel_waits
  | Blocking_calls
  | Gc_bound
  | Oversubscribed
  | Machine_busy
  | Events_lost

let kind_name = function
  | Balanced -> "balanced"
  | Too_little_parallelism -> "too_little_parallelism"
  | Long_block -> "long_block"
  | Large_chunk -> "large_chunk"
  | Lock_contention -> "lock_contention"
  | Channel_waits -> "channel_waits"
  | Blocking_calls -> "blocking_calls"
  | Gc_bound -> "gc_bound"
  | Oversubscribed -> "oversubscribed"
  | Machine_busy -> "machine_busy"
  | Events_lost -> "events_lost"

type t = {
  kind : kind;
  share : float;
  region : string option;
  worker : string option;
  place : (int * int) option;
  numbers : (string * Yojson.Safe.t) list;
  text : string;
  advice : string;
}

open Words

(* What costs less than this part of the workers' time is not worth a word. *)
let least_share = 0.05

(* Above this share of a worker's working time, collections are the program's main business. *)
let least_gc_share = 0.2
let ratio part whole = if whole <= 0 then 0. else float_of_int part /. float_of_int whole
let sprintf = Printf.sprintf
let plural n one many = if n = 1 then "1 " ^ one else count n ^ " " ^ many

(* {1 Idle workers} *)

let laziest (idle : Causes.idle) =
  match List.sort (fun (_, a, _) (_, b, _) -> Int.compare b a) idle.workers with
  | (name, time, _) :: _ -> Some (name, time)
  | [] -> None

(* "worker 1 idle 43 % of region `sort`" *)
let who_was_idle stretch (idle : Causes.idle) =
  let length = Intervals.length stretch.Causes.moments in
  let where =
    match stretch.region with Some name -> sprintf "of region `%s`" (printable name) | None -> "of the time"
  in
  match laziest idle with
  | Some (name, time) -> sprintf "%s idle %s %s" (printable name) (percent (ratio time length)) where
  | None -> "no worker seen"

let of_block stretch (idle : Causes.idle) =
  match idle.worst_block with
  | None -> None
  | Some block ->
      let size =
        match (block.first, block.last) with Some first, Some last -> Some (last - first + 1) | _ -> None
      in
      let large = match size with Some n -> n > 1 && block.alike > 1 | None -> false in
      let what = if block.final then "the last block" else "a block" in
      let iterations =
        match (size, block.first, block.last) with
        | Some 1, Some first, _ -> sprintf " (iteration %d alone)" first
        | Some n, Some first, Some last ->
            sprintf " (%s, %d to %d)" (plural n "iteration" "iterations") first last
        | _ -> ""
      in
      let like =
        if large then sprintf ", one of %s with as many iterations" (plural block.alike "block" "blocks")
        else ""
      in
      let text =
        sprintf "%s: %s took %s%s on %s%s." (who_was_idle stretch idle) what (duration block.duration)
          iterations (printable block.worker) like
      in
      let advice =
        if large then
          "Leave ~chunk_size out: blocks are then as long as a few microseconds. Or make it smaller."
        else if size = Some 1 then
          "One iteration is that long: let it fork (Weft.par, or a loop inside it), or start long ones first."
        else
          "Some iterations are dearer than those before them: a nested loop or Weft.par inside the body \
           divides them; without ~chunk_size blocks stay short."
      in
      Some
        {
          kind = (if large then Large_chunk else Long_block);
          share = ratio idle.blocks idle.time;
          region = stretch.region;
          worker = Option.map fst (laziest idle);
          place = Some (block.start, block.start + block.duration);
          numbers =
            [
              ("block_ns", `Int block.duration);
              ("block_iterations", match size with Some n -> `Int n | None -> `Null);
              ("blocks_alike", `Int block.alike);
              ("block_worker", `String block.worker);
              ("idle_ns", `Int idle.blocks);
            ];
          text;
          advice;
        }

let number_of (wait : Activity.waits) = match wait.number with Some n -> sprintf " %d" n | None -> ""

let who (wait : Activity.waits) =
  let shown = List.filteri (fun i _ -> i < 4) wait.by in
  String.concat ", " (List.map (fun (name, n) -> sprintf "%s %s times" (printable name) (count n)) shown)

(* Of the lock or channel that most idleness goes with. *)
let of_waits stretch (idle : Causes.idle) kind waits =
  let within (wait : Activity.waits) =
    Intervals.length (Intervals.inter wait.moments stretch.Causes.moments)
  in
  let weighed =
    List.filter_map (fun (w : Activity.waits) -> if w.kind = kind then Some (within w, w) else None) waits
  in
  match List.sort (fun (a, _) (b, _) -> Int.compare b a) weighed with
  | [] -> None
  | (time, wait) :: _ ->
      let length = Intervals.length stretch.moments in
      let lost, kind, noun, advice =
        match kind with
        | `Lock ->
            ( idle.locks,
              Lock_contention,
              "lock",
              "Hold it shorter or less often (a partial result per worker: Weft.Local, a reduction), divide \
               the data among several locks, or use a structure of weft-batch." )
        | `Channel ->
            ( idle.channels,
              Channel_waits,
              "channel or condition",
              "Who sends or signals is too slow for those who wait: divide that stage, give the channel a \
               capacity, or give the waiting workers other work." )
      in
      Some
        {
          kind;
          share = ratio lost idle.time;
          region = stretch.region;
          worker = Option.map fst (laziest idle);
          place = None;
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
            ];
          text =
            sprintf
              "%s: during %s of it fibers waited for %s%s (%s), %s for %s on average, up to %s at once; by \
               %s."
              (who_was_idle stretch idle)
              (percent (ratio time length))
              noun (number_of wait) (printable wait.call)
              (plural wait.latency.count "time" "times")
              (duration (Float.to_int wait.latency.mean))
              (count wait.most) (who wait);
          advice;
        }

let of_rest stretch (idle : Causes.idle) =
  let length = Intervals.length stretch.Causes.moments and workers = List.length idle.workers in
  let at_work = List.fold_left (fun sum (_, _, busy) -> sum + busy) 0 idle.workers in
  let outside = ratio idle.nobody length in
  let alone =
    match idle.longest_alone with
    | Some (a, b) -> sprintf " The longest time in which only one had work was %s." (duration (b - a))
    | None -> ""
  in
  let nobody =
    if outside >= least_share then sprintf " For %s of the time no worker had a job at all." (percent outside)
    else ""
  in
  {
    kind = Too_little_parallelism;
    share = ratio idle.rest idle.time;
    region = stretch.region;
    worker = Option.map fst (laziest idle);
    place = idle.longest_alone;
    numbers =
      [
        ("mean_workers_at_work", `Float (ratio at_work length));
        ("workers", `Int workers);
        ("no_worker_share_of_time", `Float outside);
        ("idle_ns", `Int idle.rest);
      ];
    text =
      sprintf "%s: on average %.1f of %d workers had work.%s%s" (who_was_idle stretch idle)
        (ratio at_work length) workers nobody alone;
    advice =
      (if outside *. 2. > ratio idle.rest idle.time then
         "The program computes outside the pool: look for what runs before, between and after its parallel \
          calls."
       else
         "There was nothing to steal: fork more (Weft.par, loops), or find what runs alone there. If other \
          programs kept the processors busy, Weft let fewer workers work: measure when they do not.");
  }

let of_blocking stretch (idle : Causes.idle) =
  {
    kind = Blocking_calls;
    share = ratio idle.blocking idle.time;
    region = stretch.Causes.region;
    worker = Option.map fst (laziest idle);
    place = None;
    numbers = [ ("idle_ns", `Int idle.blocking) ];
    text =
      sprintf "%s, most of it while calls of Weft.blocking were under way and nothing else was to do."
        (who_was_idle stretch idle);
    advice = "Start more such calls at the same time, or earlier; or give the workers other work meanwhile.";
  }

let of_stretch trace workers waits stretch =
  let idle = Causes.idle trace workers ~waits stretch in
  let worth = function Some d when d.share >= least_share -> [ d ] | _ -> [] in
  worth (of_waits stretch idle `Lock waits)
  @ worth (of_block stretch idle)
  @ worth (Some (of_blocking stretch idle))
  @ worth (of_waits stretch idle `Channel waits)
  @ worth (Some (of_rest stretch idle))

let idle_time d = match List.assoc_opt "idle_ns" d.numbers with Some (`Int n) -> n | _ -> 0

(* Of the whole program, what its regions do not say already: they have half of it or more. *)
let same_cause a b =
  let of_blocks d = d.kind = Long_block || d.kind = Large_chunk in
  a.kind = b.kind || (of_blocks a && of_blocks b)

let without_repetition found =
  let said d =
    let of_regions = List.filter (fun other -> other.region <> None && same_cause other d) found in
    d.region = None && of_regions <> []
    && 2 * List.fold_left (fun sum d -> sum + idle_time d) 0 of_regions >= idle_time d
  in
  List.filter (fun d -> not (said d)) found

(* {1 Everything else} *)

let whole kind ~share ~numbers ~text ~advice =
  { kind; share; region = None; worker = None; place = None; numbers; text; advice }

let of_gc (trace : Trace.t) workers =
  let all = Array.to_list workers in
  let sum state = List.fold_left (fun total worker -> total + Workers.time_in worker state) 0 all in
  let collecting = sum Workers.Collecting and running = sum Workers.Running in
  let share = ratio collecting (collecting + running) in
  let c = Activity.collections trace in
  let per_second = float_of_int c.minor /. Float.max 1e-9 (float_of_int trace.duration /. 1e9) in
  let survival =
    match (c.promoted_words, c.allocated_words) with
    | Some promoted, Some allocated when allocated > 0. -> Some (promoted /. allocated)
    | _ -> None
  in
  let all_time = c.minor_time + c.major_time + c.waiting_time + c.other_time in
  let waiting = ratio c.waiting_time all_time in
  if share < least_gc_share then []
  else
    let survived =
      match survival with Some s -> sprintf "; %s of what they saw survived" (percent s) | None -> ""
    in
    let waited =
      if waiting >= 0.3 then sprintf " %s of it was waiting for other domains." (percent waiting) else ""
    in
    let advice =
      if c.waiting_time > c.minor_time && c.waiting_time > c.major_time then
        "Most of it is waiting until all domains stop: collect less often (a larger minor heap: \
         OCAMLRUNPARAM=s=8M, in words per domain), use no more domains than processors, and keep other \
         programs away."
      else if c.major_time > c.minor_time then
        "Most of it is the major heap: allocate less that lives long, or let the heap grow \
         (OCAMLRUNPARAM=o=200)."
      else
        match survival with
        | Some s when s > 0.3 ->
            "Much survives: keep less alive across forks, or allocate less. A larger minor heap \
             (OCAMLRUNPARAM=s=8M, in words per domain) helps where it dies a little later."
        | _ ->
            "A larger minor heap means fewer collections, each hardly dearer: OCAMLRUNPARAM=s=8M (words per \
             domain), or Weft.run ~minor_heap; then allocate less."
    in
    [
      whole Gc_bound ~share
        ~numbers:
          [
            ("gc_share_of_work", `Float share);
            ("minor_collections", `Int c.minor);
            ("minor_collections_per_second", `Float per_second);
            ("minor_ns", `Int c.minor_time);
            ("major_ns", `Int c.major_time);
            ("waiting_ns", `Int c.waiting_time);
            ("waiting_share_of_gc", `Float waiting);
            ("survival", match survival with Some s -> `Float s | None -> `Null);
          ]
        ~text:
          (sprintf "Collections took %s of the working time: %s, %.0f a second%s.%s" (percent share)
             (plural c.minor "minor collection" "minor collections")
             per_second survived waited)
        ~advice;
    ]

let of_machine (trace : Trace.t) workers =
  match Activity.machine trace with
  | None -> []
  | Some { processors; stolen } ->
      let at_work = List.map (fun w -> Workers.moments w Causes.at_work) (Array.to_list workers) in
      let too_many = Intervals.length (Intervals.at_least (processors + 1) at_work) in
      let crowded = ratio too_many trace.duration in
      let busy =
        if stolen < least_share then []
        else
          [
            whole Machine_busy ~share:stolen
              ~numbers:[ ("stolen_share", `Float stolen); ("processors", `Int processors) ]
              ~text:
                (sprintf "The hypervisor gave %s of the processors' time to other machines." (percent stolen))
              ~advice:"Measure again at a quieter time; long blocks and collections may be its work.";
          ]
      in
      let over =
        if crowded < 0.2 then []
        else
          [
            whole Oversubscribed ~share:crowded
              ~numbers:
                [
                  ("processors", `Int processors);
                  ("workers", `Int (Array.length workers));
                  ("crowded_share_of_time", `Float crowded);
                ]
              ~text:
                (sprintf "For %s of the time more workers were at work than the %s." (percent crowded)
                   (plural processors "processor there is" "processors there are"))
              ~advice:"Use as many domains as processors (leave WEFT_DOMAINS and ~domains out), and one pool.";
          ]
      in
      busy @ over

let of_losses trace =
  match Activity.lost trace with
  | 0 -> []
  | lost ->
      let share = ratio lost (lost + trace.Trace.events) in
      [
        whole Events_lost ~share
          ~numbers:[ ("lost", `Int lost); ("share_of_events", `Float share) ]
          ~text:
            (sprintf "%s were lost: figures and times are too small where they are missing."
               (plural lost "event" "events"))
          ~advice:"Trace with larger rings (OCAMLRUNPARAM=e=20), or a shorter run.";
      ]

let balanced workers =
  let all = Array.to_list workers in
  let time = List.fold_left (fun sum w -> sum + Workers.time_in w Workers.Running) 0 all in
  let length =
    match all with
    | [] -> 0
    | (w : Workers.t) :: _ -> Array.fold_left (fun sum (a, b, _) -> sum + b - a) 0 w.segments
  in
  let share = ratio time (length * List.length all) in
  whole Balanced ~share:0.
    ~numbers:[ ("running_share", `Float share) ]
    ~text:(sprintf "Nothing to mend: the workers ran the program's code for %s of the time." (percent share))
    ~advice:""

let diagnose trace workers ~waits =
  let of_workers =
    if Array.length workers = 0 then []
    else without_repetition (List.concat_map (of_stretch trace workers waits) (Causes.stretches trace))
  in
  let all = of_workers @ of_gc trace workers @ of_machine trace workers @ of_losses trace in
  match List.stable_sort (fun a b -> Float.compare b.share a.share) all with
  | [] -> [ balanced workers ]
  | all -> all
