open Weft_bench_harness
open Weft_files
open Cmdliner

let exit_wrong = 2
let exit_failed = 1
let error = Foreign_text.complain "scale"

let print text =
  match Printf.printf "%s%!" text with
  | () -> Cmd.Exit.ok
  | exception Sys_error reason ->
      close_out_noerr stdout;
      error ("cannot write to standard output: " ^ reason);
      Cmd.Exit.some_error

(* {1 Files} *)

let ( let* ) = Result.bind

type places = { json : Whole_file.t option; svg : Whole_file.t option; keep : Whole_file.t option }

let complained = function
  | Ok code -> code
  | Error message ->
      error message;
      exit_wrong

(* Checks the outputs before any work is done. *)
let prepared ?input (asked : Options.asked) f =
  let place option = function
    | None -> Ok None
    | Some path -> Result.map Option.some (Whole_file.prepare ~option path)
  in
  complained
    (let* json = place "--json" asked.json in
     let* svg = place "--svg" asked.svg in
     let* keep = place "--save" asked.keep in
     let* () = Whole_file.distinct ?input (List.filter_map Fun.id [ json; svg; keep ]) in
     f { json; svg; keep })

(* The text is left out if standard output is used for something else. *)
let deliver places ~json ~svg ~text =
  let write place text = match place with None -> Ok () | Some place -> Whole_file.write place (text ()) in
  let* () = write places.json (fun () -> Yojson.Safe.pretty_to_string json ^ "\n") in
  let* () = write places.svg svg in
  let taken =
    List.exists Whole_file.is_stdout (List.filter_map Fun.id [ places.json; places.svg; places.keep ])
  in
  Ok (if taken then Cmd.Exit.ok else print text)

(* {1 A profile} *)

let median xs = Figure.quantile 0.5 (Array.of_list xs)

let rec all f = function
  | [] -> Ok []
  | x :: rest ->
      let* y = f x in
      Result.map (List.cons y) (all f rest)

(* The median of what [time] says of each case. Each round measures every case once, so that a drift of the
   machine hits all. *)
let medians (asked : Options.asked) cases time =
  let round _ = all (fun case -> Result.map (fun s -> (case, s)) (time case)) cases in
  let* rounds = all round (List.init asked.rounds Fun.id) in
  Ok (List.map (fun case -> (case, median (List.map (List.assoc case) rounds))) cases)

let sizes (asked : Options.asked) = List.sort_uniq Int.compare (1 :: asked.measure)

let measured (asked : Options.asked) command =
  if asked.measure = [] then Ok []
  else medians asked (sizes asked) (fun domains -> Program.time ~domains command)

let compared (asked : Options.asked) command =
  match asked.against with
  | None -> Ok None
  | Some sequential ->
      let time = function
        | None -> Program.elapsed ~name:("`" ^ sequential ^ "`") ~domains:1 [ "/bin/sh"; "-c"; sequential ]
        | Some domains -> Program.elapsed ~name:(List.hd command) ~domains command
      in
      let* all = medians asked (None :: List.map Option.some (sizes asked)) time in
      let weft = List.filter_map (fun (case, s) -> Option.map (fun n -> (n, s)) case) all in
      Ok (Some { Words.command = sequential; seconds = List.assoc None all; weft })

let tell (asked : Options.asked) places ~command ~measured ?against ~steal (profile : Recorded.t) =
  let workers = List.sort_uniq Int.compare (asked.workers @ List.map fst measured) in
  let* curve = Curve.make ~workers ~steal profile in
  let program = match command with [] -> "the program" | _ -> String.concat " " command in
  deliver places
    ~json:(Words.json ~measured ?against ~program:command profile curve)
    ~svg:(fun () -> Picture.svg ~measured ~program curve)
    ~text:(Words.text ~measured ?against ~program profile curve)

(* Copies the profile as the program has written it. *)
let kept places file =
  match places.keep with
  | None -> Ok ()
  | Some place -> (
      match In_channel.with_open_bin file In_channel.input_all with
      | text -> Whole_file.write place text
      | exception Sys_error reason -> Error ("cannot read the profile: " ^ reason))

let run (asked : Options.asked) command =
  prepared asked @@ fun places ->
  let* against = compared asked command in
  let steal = match asked.steal with Some ns -> ns | None -> Steal_cost.measure () in
  let* profile, ended =
    Program.with_temporary @@ fun file ->
    let* found = Program.profile ~burden:steal file command in
    Result.map (fun () -> found) (kept places file)
  in
  let* measured = measured asked command in
  let* code = tell asked places ~command ~measured ?against ~steal profile in
  if ended = Exited 0 || code <> Cmd.Exit.ok then Ok code
  else begin
    error
      (Printf.sprintf "%s %s; the profile is of what it did until then" (List.hd command) (Program.how ended));
    Ok exit_failed
  end

let read (asked : Options.asked) file =
  prepared ~input:file asked @@ fun places ->
  let* found = Recorded.read file in
  match found with
  | Unfinished -> Error (Input.shown file ^ ": the program has not come to its end")
  | Times _ -> Error (Input.shown file ^ ": it holds times only, no profile")
  | Profile profile ->
      let steal = Option.value asked.steal ~default:profile.burden in
      tell asked places ~command:[] ~measured:[] ~steal profile

let benchmarks (asked : Options.asked) names ~domains ~size =
  prepared asked @@ fun places ->
  let steal = match asked.steal with Some ns -> ns | None -> Steal_cost.measure () in
  let one name =
    let* benchmark = Comparison.find name in
    Comparison.run ~domains ~rounds:asked.rounds ~steal ?size benchmark
  in
  let* rows = all one names in
  deliver places ~json:(Comparison.json ~domains rows)
    ~svg:(fun () -> "")
    ~text:(Comparison.text ~domains rows)

let go ((asked, target) : Options.asked * Options.target) =
  match target with
  | Run command -> run asked command
  | Read file -> read asked file
  | Benchmarks (names, domains, size) -> benchmarks asked names ~domains ~size

(* {1 The command} *)

let scale =
  let doc = "tell how well a program would scale, and what limits it" in
  let man =
    [
      `S Manpage.s_description;
      `P
        "Runs $(i,PROGRAM), which uses Weft but need not be built for this, on one worker, and measures its \
         work and its span: the longest chain of parts of which each needs the one before. From these follow \
         the least and the greatest speed-up that any number of workers can be expected to give; and work \
         stealing is simulated on what was recorded. Regions that the program names by Weft.Profile.region \
         are shown apart, and which of them limits it.";
      `P
        "Tasks that wait for each other by spinning do not come to their end on one worker. Of what the \
         program computes outside Weft's pools, the processor time is measured.";
      `S Manpage.s_examples;
      `Pre
        "  weft scale -- ./my_program --size 1000\n\
        \  weft scale --svg curve.svg --measure 1,2 -- ./my_program\n\
        \  weft scale --against './sequential 1000' -- ./my_program 1000\n\
        \  weft scale --benchmarks";
    ]
  in
  let exits =
    Cmd.Exit.info Cmd.Exit.ok ~doc:"if all went well."
    :: Cmd.Exit.info exit_failed ~doc:"if the program failed, though it wrote its profile."
    :: Cmd.Exit.info exit_wrong
         ~doc:
           "if the program cannot be run or wrote no profile, if a file cannot be read or written, and on a \
            wrong command line."
    :: Cmd.Exit.info Cmd.Exit.some_error ~doc:"if standard output cannot be written."
    :: [ Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug)." ]
  in
  Cmd.v (Cmd.info "scale" ~doc ~man ~exits) Term.(const go $ Options.term)
