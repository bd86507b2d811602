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

let run ~runs ~progress configs =
  if runs < 1 then invalid_arg "Runner.run: runs < 1";
  let slots = List.map (fun config -> (config, ref [])) configs in
  let one ~round (config, runs) =
    progress ~round config;
    let run = measure_once config in
    if round > 0 then runs := run :: !runs
  in
  match
    for round = 0 to runs do
      List.iter (one ~round) (Rounds.order ~round slots)
    done
  with
  | () ->
      let measured (config, runs) =
        let samples, figures = List.split (List.rev !runs) in
        { config; samples; figures }
      in
      Ok (List.map measured slots)
  | exception Failed failure -> Error failure
