open Model_check

(* More than this takes longer to explore without -O2 than to compile with it. *)
let worth_optimising (c : Configuration.t) =
  match c.expectation with Holds { states } -> states > 500_000 | Fails -> false

(* What is wrong with an outcome, if anything. *)
let complaint (c : Configuration.t) (o : Verifier.outcome) =
  match (c.expectation, o.verdict) with
  | _, Unclear reason -> Some reason
  | Holds { states }, Holds when o.states < states ->
      Some (Printf.sprintf "explored %d states, at least %d expected" o.states states)
  | Holds _, Holds | Fails, Violated _ -> None
  | Holds _, Violated assertion -> Some ("assertion violated: " ^ assertion)
  | Fails, Holds -> Some "a mutant that does not fail"

let found : Verifier.verdict -> string = function
  | Holds -> "holds"
  | Violated _ -> "fails"
  | Unclear _ -> "unclear"

let expected : Configuration.expectation -> string = function Holds _ -> "holds" | Fails -> "fails"
let row = Printf.printf "%-11s %-76s %-9s %-9s %11s %8s\n%!"

let check_one ~directory (c : Configuration.t) =
  let path = Filename.concat directory (c.model ^ ".pml") in
  let source = In_channel.with_open_bin path In_channel.input_all in
  match Configuration.unknown_knobs c ~source with
  | knob :: _ -> (0, Some ("the model knows no " ^ knob))
  | [] ->
      let memory_mib = if c.long then 3000 else 1024 in
      let o = Verifier.run ~memory_mib ~optimise:(worth_optimising c) ~knobs:c.knobs path in
      row c.model (String.concat " " c.knobs) (expected c.expectation) (found o.verdict)
        (string_of_int o.states) (Printf.sprintf "%.1f" o.seconds);
      (o.states, complaint c o)

let check ~long ~only ~directory =
  let chosen (c : Configuration.t) =
    c.long = long && Option.fold only ~none:true ~some:(fun model -> model = c.model)
  in
  let configurations = List.filter chosen Configuration.all in
  let clock = Mtime_clock.counter () in
  row "model" "knobs" "expected" "found" "states" "seconds";
  let results = List.map (fun c -> (c, check_one ~directory c)) configurations in
  let states = List.fold_left (fun sum (_, (n, _)) -> sum + n) 0 results in
  let wrong = List.filter_map (fun (c, (_, why)) -> Option.map (fun why -> (c, why)) why) results in
  Printf.printf "models: %d of %d configurations as expected, %d states, %.0f s\n%!"
    (List.length configurations - List.length wrong)
    (List.length configurations) states
    (Mtime.Span.to_float_ns (Mtime_clock.count clock) *. 1e-9);
  List.iter (fun (c, why) -> Printf.eprintf "models: %s: %s\n" (Configuration.name c) why) wrong;
  if configurations <> [] && wrong = [] then 0 else 1

let main long only directory =
  try check ~long ~only ~directory
  with Verifier.Tool_failed message | Sys_error message ->
    Printf.eprintf "models: %s\n" message;
    2

let command =
  let open Cmdliner in
  let long =
    Arg.(value & flag & info [ "long" ] ~doc:"Check the long configurations instead of the others.")
  in
  let model_names =
    List.sort_uniq compare (List.map (fun (c : Configuration.t) -> c.model) Configuration.all)
  in
  let only =
    let names = Arg.enum (List.map (fun name -> (name, name)) model_names) in
    Arg.(value & opt (some names) None & info [ "model" ] ~docv:"MODEL" ~doc:"Check this model only.")
  in
  let directory = Arg.(value & pos 0 dir "." & info [] ~docv:"DIR" ~doc:"The directory of the models.") in
  let exits =
    Cmd.Exit.info 0 ~doc:"everything came out as expected."
    :: Cmd.Exit.info 1 ~doc:"something did not; standard error says what."
    :: Cmd.Exit.info 2 ~doc:"a tool or a file failed."
    :: List.filter (fun e -> Cmd.Exit.info_code e > 2) Cmd.Exit.defaults
  in
  Cmd.v
    (Cmd.info "check" ~doc:"check Weft's models with Spin" ~exits)
    Term.(const main $ long $ only $ directory)

let () = exit (Cmdliner.Cmd.eval' command)
