open Finding
open Words

let sprintf = Printf.sprintf

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

(* The lock or channel whose waits coincide with most idleness. *)
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

(* Drops a finding about the whole program if its regions already explain half of it or more. *)
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

let findings trace workers ~waits =
  if Array.length workers = 0 then []
  else without_repetition (List.concat_map (of_stretch trace workers waits) (Causes.stretches trace))
