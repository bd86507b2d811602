type measured = { config : Plan.config; samples : Meter.sample list }
type failure = Wrong of Plan.config * Benchmark.wrong | Raised of Plan.config * exn

let pp_failure ppf = function
  | Wrong (config, { expected; got }) ->
      Format.fprintf ppf "%s: wrong result: expected %s, got %s" (Plan.describe config) expected got
  | Raised (config, e) ->
      Format.fprintf ppf "%s: ended with an exception: %s" (Plan.describe config) (Printexc.to_string e)

exception Failed of failure

let run_once (config : Plan.config) =
  let (Work { prepare; compute; check; _ }) = config.work in
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
      match check result with Ok () -> sample | Error wrong -> raise (Failed (Wrong (config, wrong))))

let run ~runs ~progress configs =
  if runs < 1 then invalid_arg "Runner.run: runs < 1";
  let slots = List.map (fun config -> (config, ref [])) configs in
  let one ~round (config, samples) =
    progress ~round config;
    let sample = run_once config in
    if round > 0 then samples := sample :: !samples
  in
  match
    for round = 0 to runs do
      List.iter (one ~round) (Rounds.order ~round slots)
    done
  with
  | () -> Ok (List.map (fun (config, samples) -> { config; samples = List.rev !samples }) slots)
  | exception Failed failure -> Error failure
