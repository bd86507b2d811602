type measured = { config : Plan.config; samples : Meter.sample list; figures : Figure.t list list }
type failure = Wrong of Plan.config * Benchmark.wrong | Raised of Plan.config * exn

let pp_failure ppf = function
  | Wrong (config, { expected; got }) ->
      Format.fprintf ppf "%s: wrong result: expected %s, got %s" (Plan.describe config) expected got
  | Raised (config, e) ->
      Format.fprintf ppf "%s: ended with an exception: %s" (Plan.describe config) (Printexc.to_string e)

exception Failed of failure

(* Before OCaml 5.4 a compaction while domains end crashes (doc/runtime-faults.md), and the collections that
   come with it make idle domains of Weft end. *)
let collect =
  if Scanf.sscanf Sys.ocaml_version "%d.%d" (fun m n -> (m, n) >= (5, 4)) then Gc.compact else Gc.full_major

let measure_once (config : Plan.config) =
  let (Work { prepare; compute; check; figures; forks = _ }) = config.work in
  let attempt () =
    let input = prepare () in
    (* No run pays for the garbage of the run before; after a compaction, nor is its peak of memory counted. *)
    collect ();
    config.contestant.inside ~domains:config.params.domains (fun () ->
        Meter.measure (fun () -> compute input))
  in
  match attempt () with
  | exception e -> raise (Failed (Raised (config, e)))
  | result, sample -> (
      match check result with
      | Ok () -> (sample, figures ~seconds:sample.seconds result)
      | Error wrong -> raise (Failed (Wrong (config, wrong))))

let once config = match measure_once config with run -> Ok run | exception Failed failure -> Error failure

(* {1 Rounds} *)

type slot = {
  config : Plan.config;
  mutable runs : (Meter.sample * Figure.t list) list;  (** the last first *)
}

type session = {
  may_fail : Contestant.t -> bool;
  mutable slots : slot list;
  mutable complete : int;
  mutable dropped : (failure * Plan.config list) list;  (** the last first *)
}

let session ?(may_fail = fun _ -> false) configs =
  { may_fail; slots = List.map (fun config -> { config; runs = [] }) configs; complete = 0; dropped = [] }

let failed = function Wrong (config, _) | Raised (config, _) -> config

(* The contestant takes no further part in that benchmark. What was measured of it there is forgotten,
   since it comes from a program that fails. *)
let drop session failure =
  let { Plan.benchmark; contestant; _ } = failed failure in
  let goes { config; _ } =
    String.equal config.benchmark.name benchmark.name && Contestant.equal config.contestant contestant
  in
  let gone, rest = List.partition goes session.slots in
  let configs = List.map (fun slot -> slot.config) gone in
  session.slots <- rest;
  session.dropped <- (failure, configs) :: session.dropped;
  configs

let nobody _ _ = ()

(* Configurations with the same text run in a row: ratios are formed of them. *)
let together slot = Printf.sprintf "%s %d" slot.config.benchmark.name slot.config.params.size

let run_session ?(warm_up = true) ?(dropped = nobody) ~runs ~progress session =
  if runs < 1 then invalid_arg "Runner.run: runs < 1";
  let one ~round slot =
    if List.memq slot session.slots then (
      progress ~round slot.config;
      match Interrupts.amid (fun () -> measure_once slot.config) with
      | run -> if round > 0 then slot.runs <- run :: slot.runs
      | exception Failed failure when session.may_fail (failed failure).contestant ->
          dropped failure (drop session failure))
  in
  match
    for round = if warm_up then 0 else 1 to runs do
      List.iter (one ~round) (Rounds.order ~round ~together session.slots);
      session.complete <- round
    done
  with
  | () -> Ok ()
  | exception Failed failure -> Error failure

let complete_rounds session = session.complete
let dropped session = List.rev session.dropped

(* Runs of a round that is not complete count only if no round is complete. *)
let measured session =
  let of_slot { config; runs } =
    let counted = List.filteri (fun i _ -> i < Int.max 1 session.complete) (List.rev runs) in
    let samples, figures = List.split counted in
    if counted = [] then None else Some { config; samples; figures }
  in
  List.filter_map of_slot session.slots

let run ?warm_up ~runs ~progress configs =
  let session = session configs in
  Result.map (fun () -> measured session) (run_session ?warm_up ~runs ~progress session)
