type measured = { config : Plan.config; samples : Meter.sample list; figures : Figure.t list list }
type failure = Wrong of Plan.config * Benchmark.wrong | Raised of Plan.config * exn

let pp_failure ppf = function
  | Wrong (config, { expected; got }) ->
      Format.fprintf ppf "%s: wrong result: expected %s, got %s" (Plan.describe config) expected got
  | Raised (config, e) ->
      Format.fprintf ppf "%s: ended with an exception: %s" (Plan.describe config) (Printexc.to_string e)

exception Failed of failure

let measure_once (config : Plan.config) =
  let (Work { prepare; compute; check; figures; forks = _ }) = config.work in
  let attempt () =
    let input = prepare () in
    (* Nobody pays for the garbage of the run before. *)
    Gc.full_major ();
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

type session = {
  slots : (Plan.config * (Meter.sample * Figure.t list) list ref) list;  (** the last run first *)
  mutable complete : int;
}

let session configs = { slots = List.map (fun config -> (config, ref [])) configs; complete = 0 }

let run_session ?(warm_up = true) ~runs ~progress session =
  if runs < 1 then invalid_arg "Runner.run: runs < 1";
  let one ~round (config, done_) =
    progress ~round config;
    let run = Interrupts.amid (fun () -> measure_once config) in
    if round > 0 then done_ := run :: !done_
  in
  match
    for round = if warm_up then 0 else 1 to runs do
      List.iter (one ~round) (Rounds.order ~round session.slots);
      session.complete <- round
    done
  with
  | () -> Ok ()
  | exception Failed failure -> Error failure

let complete_rounds session = session.complete

(* Runs of a round that is not complete do not count, unless there is no other. *)
let measured session =
  let of_slot (config, done_) =
    let runs = List.rev !done_ in
    let counted = List.filteri (fun i _ -> i < Int.max 1 session.complete) runs in
    let samples, figures = List.split counted in
    if counted = [] then None else Some { config; samples; figures }
  in
  List.filter_map of_slot session.slots

let run ?warm_up ~runs ~progress configs =
  let session = session configs in
  Result.map (fun () -> measured session) (run_session ?warm_up ~runs ~progress session)
