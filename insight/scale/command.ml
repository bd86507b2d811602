open Weft_bench_harness
open Cmdliner

let exit_wrong = 2
let exit_failed = 1
let error message = Printf.eprintf "weft scale: %s\n%!" message

let print text =
  match Printf.printf "%s%!" text with
  | () -> Cmd.Exit.ok
  | exception Sys_error reason ->
      close_out_noerr stdout;
      error ("cannot write to standard output: " ^ reason);
      Cmd.Exit.some_error

(* --- what is asked for --- *)

type asked = {
  json : string option;
  svg : string option;
  keep : string option;
  workers : int list;
  steal : int option;
  measure : int list;
  rounds : int;
}

type target = Run of string list | Read of string | Benchmarks of string list * int * int option

(* --- files --- *)

(* Whole or not at all. *)
let write_text path text =
  let temporary = Printf.sprintf "%s.%d.tmp" path (Unix.getpid ()) in
  match
    Out_channel.with_open_bin temporary (fun out -> Out_channel.output_string out text);
    Sys.rename temporary path
  with
  | () -> Ok ()
  | exception Sys_error reason ->
      (try Sys.remove temporary with Sys_error _ -> ());
      Error (Printf.sprintf "cannot write %s: %s" path reason)

(* Before any work is done. *)
let prepared asked f =
  let folder option path =
    let dir = Filename.dirname path in
    if Sys.file_exists path && Sys.is_directory path then
      Error (Printf.sprintf "option '%s': cannot write %s: it is a folder" option path)
    else if String.equal path "" || not (Sys.file_exists dir && Sys.is_directory dir) then
      Error (Printf.sprintf "option '%s': cannot write '%s': there is no such folder" option path)
    else
      match Unix.access dir [ W_OK ] with
      | () -> Ok ()
      | exception Unix.Unix_error (why, _, _) ->
          Error (Printf.sprintf "option '%s': cannot write %s: %s" option path (Unix.error_message why))
  in
  let check option = function None -> Ok () | Some path -> folder option path in
  let place =
    match asked.json with
    | None -> Ok None
    | Some path -> Result.map Option.some (Whole_file.prepare ~option:"--json" path)
  in
  match (place, check "--svg" asked.svg, check "--save" asked.keep) with
  | Ok place, Ok (), Ok () -> f place
  | Error message, _, _ | _, Error message, _ | _, _, Error message ->
      error message;
      exit_wrong

let deliver place ~json ~text svgs =
  let results =
    (match place with
    | None -> Ok ()
    | Some place -> Whole_file.write place (Yojson.Safe.pretty_to_string json ^ "\n"))
    :: List.map (fun (path, svg) -> write_text path svg) svgs
  in
  match List.find_map (function Error message -> Some message | Ok () -> None) results with
  | Some message ->
      error message;
      exit_wrong
  | None -> ( match place with Some place when Whole_file.is_stdout place -> Cmd.Exit.ok | _ -> print text)

(* --- a profile --- *)

let median xs = Figure.quantile 0.5 (Array.of_list xs)

let rec all f = function
  | [] -> Ok []
  | x :: rest -> Result.bind (f x) (fun y -> Result.map (List.cons y) (all f rest))

(* Turn and turn about. *)
let measured asked command =
  if asked.measure = [] then Ok []
  else
    let sizes = List.sort_uniq Int.compare (1 :: asked.measure) in
    let round _ =
      all (fun domains -> Result.map (fun s -> (domains, s)) (Program.time ~domains command)) sizes
    in
    Result.map
      (fun rounds -> List.map (fun domains -> (domains, median (List.map (List.assoc domains) rounds))) sizes)
      (all round (List.init asked.rounds Fun.id))

let tell asked place ~command ~measured ~steal (profile : Recorded.t) =
  let workers = List.sort_uniq Int.compare (asked.workers @ List.map fst measured) in
  match Curve.make ~workers ~steal profile with
  | Error message ->
      error message;
      exit_wrong
  | Ok curve ->
      let program = match command with [] -> "the program" | _ -> String.concat " " command in
      let svgs =
        match asked.svg with None -> [] | Some path -> [ (path, Picture.svg ~measured ~program curve) ]
      in
      deliver place
        ~json:(Words.json ~measured ~program:command profile curve)
        ~text:(Words.text ~measured ~program profile curve)
        svgs

let copy file path =
  match In_channel.with_open_bin file In_channel.input_all with
  | text -> write_text path text
  | exception Sys_error reason -> Error reason

let run asked command =
  prepared asked @@ fun place ->
  let steal = match asked.steal with Some ns -> ns | None -> Steal_cost.measure () in
  let outcome =
    Program.with_temporary @@ fun file ->
    Result.bind (Program.profile ~burden:steal file command) @@ fun found ->
    Result.map (fun () -> found) (match asked.keep with None -> Ok () | Some path -> copy file path)
  in
  match outcome with
  | Error message ->
      error message;
      exit_wrong
  | Ok (profile, ended) -> (
      match measured asked command with
      | Error message ->
          error message;
          exit_wrong
      | Ok measured ->
          let code = tell asked place ~command ~measured ~steal profile in
          if ended = Exited 0 || code <> Cmd.Exit.ok then code
          else begin
            error
              (Printf.sprintf "%s %s; the profile is of what it did until then" (List.hd command)
                 (Program.how ended));
            exit_failed
          end)

let read asked file =
  prepared asked @@ fun place ->
  match Recorded.read file with
  | Error message ->
      error message;
      exit_wrong
  | Ok Unfinished ->
      error (file ^ ": the program has not come to its end");
      exit_wrong
  | Ok (Times _) ->
      error (file ^ ": it holds times only, no profile");
      exit_wrong
  | Ok (Profile profile) ->
      let steal = Option.value asked.steal ~default:profile.burden in
      tell asked place ~command:[] ~measured:[] ~steal profile

let benchmarks asked names ~domains ~size =
  prepared asked @@ fun place ->
  let steal = match asked.steal with Some ns -> ns | None -> Steal_cost.measure () in
  let one name =
    Result.bind (Comparison.find name) (Comparison.run ~domains ~rounds:asked.rounds ~steal ?size)
  in
  match all one names with
  | Error message ->
      error message;
      exit_wrong
  | Ok rows -> deliver place ~json:(Comparison.json ~domains rows) ~text:(Comparison.text ~domains rows) []

let go asked = function
  | Run command -> run asked command
  | Read file -> read asked file
  | Benchmarks (names, domains, size) -> benchmarks asked names ~domains ~size

(* --- command line --- *)

let number ~what ~least ~greatest =
  let parse text =
    match int_of_string_opt text with
    | Some n when n >= least && n <= greatest -> Ok n
    | _ -> Error (Printf.sprintf "'%s' is not a %s from %d to %d" text what least greatest)
  in
  Arg.conv' ~docv:"N" (parse, Format.pp_print_int)

let file names ~doc = Arg.(value & opt (some string) None & info names ~docv:"FILE" ~doc)

let asked =
  let json =
    file [ "json" ]
      ~doc:
        "Also write all figures to $(docv), whole or not at all. With $(b,-) they go to standard output in \
         place of the tables."
  in
  let svg = file [ "svg" ] ~doc:"Also draw the curve as a picture, $(docv)." in
  let keep = file [ "save" ] ~doc:"Keep the profile in $(docv), for $(b,--read)." in
  let workers =
    let doc = "The numbers of workers to predict for, up to 4096; by default the powers of two up to 1024." in
    Arg.(
      value
      & opt (list (number ~what:"number of workers" ~least:1 ~greatest:4096)) Curve.usual_workers
      & info [ "workers" ] ~docv:"LIST" ~doc)
  in
  let steal =
    let doc =
      "What a steal costs, in nanoseconds. By default it is measured on this machine first; with \
       $(b,--read), it is what it was then."
    in
    Arg.(
      value
      & opt (some (number ~what:"number of nanoseconds" ~least:0 ~greatest:1_000_000_000)) None
      & info [ "steal" ] ~docv:"NS" ~doc)
  in
  let measure =
    let doc =
      "Then run the program again, without profiling and with its standard output dropped, on one domain and \
       on as many as $(docv) says, and show the speed-up of the time that it spends in Weft's pools."
    in
    Arg.(
      value
      & opt (list (number ~what:"number of domains" ~least:1 ~greatest:128)) []
      & info [ "measure" ] ~docv:"LIST" ~doc)
  in
  let rounds =
    let doc = "Measure $(docv) times, turn and turn about; the median counts." in
    Arg.(
      value
      & opt (number ~what:"number of rounds" ~least:1 ~greatest:1000) 5
      & info [ "rounds" ] ~docv:"N" ~doc)
  in
  let make json svg keep workers steal measure rounds =
    { json; svg; keep; workers; steal; measure; rounds }
  in
  Term.(const make $ json $ svg $ keep $ workers $ steal $ measure $ rounds)

let target =
  let read =
    file [ "read" ] ~doc:"Run nothing: read a profile that $(b,--save) or Weft.Profile.save has made."
  in
  let benchmarks =
    let doc =
      Printf.sprintf
        "Run no program, but these benchmarks of $(b,weft bench), and compare predictions with measurements. \
         Without a value: %s."
        (String.concat ", " Comparison.usual)
    in
    Arg.(
      value
      & opt ~vopt:(Some Comparison.usual) (some (list string)) None
      & info [ "benchmarks" ] ~docv:"NAMES" ~doc)
  in
  let domains =
    Arg.(
      value
      & opt (number ~what:"number of domains" ~least:2 ~greatest:128) 2
      & info [ "domains" ] ~docv:"N" ~doc:"With $(b,--benchmarks): measure on one domain and on $(docv).")
  in
  let size =
    Arg.(
      value
      & opt (some (number ~what:"size" ~least:0 ~greatest:max_int)) None
      & info [ "size" ] ~docv:"N"
          ~doc:"With $(b,--benchmarks): their size; by default that of $(b,weft bench).")
  in
  let program =
    Arg.(
      value & pos_all string [] & info [] ~docv:"PROGRAM" ~doc:"The program and its arguments, after $(b,--).")
  in
  let make read benchmarks domains size command =
    match (read, benchmarks, command) with
    | None, None, _ :: _ -> `Ok (Run command)
    | Some file, None, [] -> `Ok (Read file)
    | None, Some names, [] -> `Ok (Benchmarks (names, domains, size))
    | None, None, [] -> `Error (true, "there is no PROGRAM to run")
    | _ -> `Error (true, "a PROGRAM, '--read' and '--benchmarks' exclude each other")
  in
  Term.(ret (const make $ read $ benchmarks $ domains $ size $ program))

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
        "Tasks that wait for each other by spinning do not come to their end on one worker. What lies \
         outside Weft's pools is not measured.";
      `S Manpage.s_examples;
      `Pre
        "  weft scale -- ./my_program --size 1000\n\
        \  weft scale --svg curve.svg --measure 1,2 -- ./my_program\n\
        \  weft scale --benchmarks";
    ]
  in
  let exits =
    Cmd.Exit.info Cmd.Exit.ok ~doc:"if all went well."
    :: Cmd.Exit.info exit_failed ~doc:"if the program failed, though it wrote its profile."
    :: Cmd.Exit.info exit_wrong
         ~doc:"if the program cannot be run or wrote no profile, or if a file cannot be read or written."
    :: Cmd.Exit.info Cmd.Exit.some_error ~doc:"if standard output cannot be written."
    :: Cmd.Exit.info Cmd.Exit.cli_error ~doc:"on a wrong command line."
    :: [ Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug)." ]
  in
  Cmd.v (Cmd.info "scale" ~doc ~man ~exits) Term.(const go $ asked $ target)
