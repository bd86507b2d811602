open Finding
open Words

let sprintf = Printf.sprintf

let of_block stretch (idle : Causes.idle) =
  match idle.worst_block with
  | None -> None
  | Some block ->
      let size =
        match (block.first, block.last) with Some first, Some last -> Some (last - first + 1) | _ -> None
      in
      let large = match size with Some n -> n > 1 && block.alike > 1 | None -> false in
      let what = if block.final then "the last block" else "a block" in
      let what =
        match block.at with Some at -> sprintf "%s of the loop at `%s`" what (printable at) | None -> what
      in
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
        sprintf "%s: %s took %s%s on %s%s."
          (Causes.who_was_idle ~worker:block.idlest stretch idle)
          what (duration block.duration) iterations (printable block.worker) like
      in
      let advice =
        if large then "Leave ~chunk_size out: blocks then take a few microseconds each. Or make it smaller."
        else if size = Some 1 then
          "A single iteration takes that long: let it fork (Weft.par, or a loop inside it), or start the \
           long ones first."
        else
          "Some iterations take longer than those before them: divide them by a nested loop or Weft.par in \
           the body. If you give ~chunk_size, leave it out: blocks are then shorter."
      in
      Some
        {
          kind = (if large then Large_chunk else Long_block);
          share = ratio idle.blocks.time idle.time;
          region = stretch.region;
          worker = Some block.idlest;
          place = Some (block.start, block.start + block.duration);
          numbers =
            [
              ("block_ns", `Int block.duration);
              ("block_iterations", match size with Some n -> `Int n | None -> `Null);
              ("blocks_alike", `Int block.alike);
              ("block_worker", `String block.worker);
              ("block_at", match block.at with Some at -> `String at | None -> `Null);
              ("idle_ns", `Int idle.blocks.time);
            ];
          text;
          advice;
        }

(* Whether it is, more than anything else, that the program computed although no worker had a job. *)
let is_outside (idle : Causes.idle) ~length =
  let outside = ratio idle.outside length in
  outside >= least_share && outside *. 2. > ratio idle.rest.time idle.time

(* A program that forks more often than that, in ns of work, need not fork more. *)
let enough_forks = 20_000

(* Long loops and tasks that run alone leave long times in which only one worker has work; short ones one
   after the other leave many short ones. *)
let alone_in_short_stretches (idle : Causes.idle) =
  match idle.longest_alone with
  | Some (a, b) -> 2 * (b - a) < Intervals.length idle.rest.moments
  | None -> true

let of_rest trace stretch (idle : Causes.idle) =
  let length = Intervals.length stretch.Causes.moments and workers = List.length idle.workers in
  let at_work = List.fold_left (fun sum (_, _, busy) -> sum + busy) 0 idle.workers in
  (* Forks of other moments tell nothing: parallel and sequential steps may come in turn. *)
  let forks = Activity.forks_within trace idle.rest.moments in
  let forks_often =
    match forks with
    | Some n when n > 0 && idle.beside_rest / n <= enough_forks && not (is_outside idle ~length) -> Some n
    | _ -> None
  in
  let is_too_fine_grained = Option.is_some forks_often && alone_in_short_stretches idle in
  let outside = ratio idle.outside length in
  let alone =
    match idle.longest_alone with
    | Some (a, b) -> sprintf " The longest time in which only one had work was %s." (duration (b - a))
    | None -> ""
  in
  let nobody =
    if outside < least_share then ""
    else if Outside.is_known trace then
      sprintf " For %s of the time the process computed although no worker had a job." (percent outside)
    else sprintf " For %s of the time no worker had a job." (percent outside)
  and forked =
    match forks_often with
    | Some n ->
        sprintf ", which forked every %s while a worker was idle (%s)"
          (duration (idle.beside_rest / n))
          (plural n "fork" "forks")
    | None -> ""
  in
  {
    kind = (if is_too_fine_grained then Too_fine_grained else Too_little_parallelism);
    share = ratio idle.rest.time idle.time;
    region = stretch.region;
    worker = Option.map fst (Causes.laziest idle);
    place =
      (match idle.longest_alone with
      | Some _ as alone when not (is_outside idle ~length) -> alone
      | _ -> Intervals.longest idle.rest.moments);
    numbers =
      [
        ("mean_workers_at_work", `Float (ratio at_work length));
        ("workers", `Int workers);
        ("outside_share_of_time", `Float outside);
        ("forks", match forks with Some n -> `Int n | None -> `Null);
        ("idle_ns", `Int idle.rest.time);
      ];
    text =
      sprintf "%s: on average %.1f of %d workers had work%s.%s%s" (Causes.who_was_idle stretch idle)
        (ratio at_work length) workers forked nobody alone;
    advice =
      (if is_outside idle ~length then
         "The program computes outside the pool: look for what runs before, between and after its parallel \
          calls."
       else if is_too_fine_grained then
         "Loops and tasks of some microseconds, one after the other, are too short for several domains: put \
          more in each, or run the loop around them in parallel, or give a loop's body a block at a time \
          (Weft.parallel_for_blocks)."
       else if Option.is_some forks_often then
         "There was nothing to steal although much was forked: find what runs alone there."
       else if Option.is_some forks then
         "There was nothing to steal: fork more (Weft.par, loops), or find what runs alone there."
       else
         "There was nothing to steal: fork more (Weft.par, loops), or find what runs alone there. If these \
          are loops and tasks of some microseconds, one after the other, put more in each.");
  }

let of_blocking stretch (idle : Causes.idle) =
  {
    kind = Blocking_calls;
    share = ratio idle.blocking.time idle.time;
    region = stretch.Causes.region;
    worker = Option.map fst (Causes.laziest idle);
    place = Intervals.longest idle.blocking.moments;
    numbers = [ ("idle_ns", `Int idle.blocking.time) ];
    text =
      sprintf "%s, most of it while calls of Weft.blocking were under way and nothing else was to do."
        (Causes.who_was_idle stretch idle);
    advice = "Start more such calls at the same time, or earlier; or give the workers other work meanwhile.";
  }

let of_steals trace stretch (idle : Causes.idle) =
  let steals = Stealing.of_trace trace in
  let length = Intervals.length stretch.Causes.moments in
  let ns = function Some n -> `Int n | None -> `Null in
  let prices =
    match (steals.cost, steals.gain) with
    | Some cost, Some gain ->
        sprintf " A steal took %s, and what was stolen %s (medians)." (duration cost) (duration gain)
    | _ -> " No steal had success."
  in
  {
    kind = Steals_too_dear;
    share = ratio idle.steals.time idle.time;
    region = stretch.region;
    worker = Option.map fst (Causes.laziest idle);
    place = Intervals.longest idle.steals.moments;
    numbers =
      [
        ("searches", `Int steals.searches);
        ("mean_jobs_at_hand", `Float steals.at_hand);
        ("steal_ns", ns steals.cost);
        ("stolen_job_ns", ns steals.gain);
        ("idle_ns", `Int idle.steals.time);
      ];
    text =
      sprintf "%s, for %s of the time in search of a job although other workers had some (%.0f on average).%s"
        (Causes.who_was_idle stretch idle)
        (percent (ratio (Intervals.length idle.steals.moments) length))
        steals.at_hand prices;
    advice =
      "The tasks are too short to be stolen: let each do more (several items a task), or use a loop or a \
       reduction over all items, which chooses how many a task does.";
  }

let of_stretch trace workers waits ~losses circumstances stretch : Repetition.said list =
  let idle = Causes.idle trace workers circumstances stretch in
  let said ?(about = "") finding moments = { Repetition.finding; about; moments } in
  let worth (part : Causes.part) = function Some finding -> [ said finding part.moments ] | None -> [] in
  (* That nothing explains it can only be said if nothing is missing. And on a busy machine Weft lets fewer
     workers work, whatever there is to do. *)
  let can_judge =
    (not (Losses.any losses))
    && ((not (Surroundings.is_busy trace)) || is_outside idle ~length:(Intervals.length stretch.moments))
  in
  let of_object (finding, moments) =
    said finding moments ~about:(Yojson.Safe.to_string (List.assoc "object" finding.numbers))
  in
  let all =
    List.map of_object (Waiting.findings stretch idle idle.locks `Lock waits)
    @ worth idle.blocks (of_block stretch idle)
    @ (if ratio idle.steals.time idle.time < least_share then []
       else worth idle.steals (Some (of_steals trace stretch idle)))
    @ worth idle.blocking (Some (of_blocking stretch idle))
    @ List.map of_object (Waiting.findings stretch idle idle.channels `Channel waits)
    @ if can_judge then worth idle.rest (Some (of_rest trace stretch idle)) else []
  in
  List.filter (fun (said : Repetition.said) -> said.finding.share >= least_share) all

let findings trace workers ~(losses : Losses.t) ~waits =
  if Array.length workers = 0 || not (Missing.leaves_enough trace workers losses) then []
  else
    let circumstances = Circumstances.of_trace trace workers ~waits in
    List.concat_map (of_stretch trace workers waits ~losses circumstances) (Causes.stretches trace ~losses)
    |> Repetition.without
