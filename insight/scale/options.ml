open Cmdliner

type asked = {
  json : string option;
  svg : string option;
  keep : string option;
  workers : int list;
  steal : int option;
  measure : int list;
  against : string option;
  rounds : int;
}

type target = Run of string list | Read of string | Benchmarks of string list * int * int option

(* {1 Parsers} *)

let number ~what ~least ~greatest =
  let parse text =
    match int_of_string_opt text with
    | Some n when n >= least && n <= greatest -> Ok n
    | _ -> Error (Printf.sprintf "'%s' is not a %s from %d to %d" text what least greatest)
  in
  Arg.conv' ~docv:"N" (parse, Format.pp_print_int)

let file names ~doc = Arg.(value & opt (some string) None & info names ~docv:"FILE" ~doc)

(* {1 Outputs} *)

let json =
  file [ "json" ]
    ~doc:
      "Also write all figures to $(docv), whole or not at all. With $(b,-) they go to standard output in \
       place of the tables."

let svg = file [ "svg" ] ~doc:"Also draw the curve as a picture, $(docv), likewise."
let keep = file [ "save" ] ~doc:"Keep the profile in $(docv), for $(b,--read), likewise."

(* {1 What to predict and to measure} *)

let workers =
  let doc = "The numbers of workers to predict for, up to 4096; by default the powers of two up to 1024." in
  Arg.(
    value
    & opt (some (list (number ~what:"number of workers" ~least:1 ~greatest:4096))) None
    & info [ "workers" ] ~docv:"LIST" ~doc)

let steal =
  let doc =
    "What a steal costs, in nanoseconds. By default it is measured on this machine first; with $(b,--read), \
     it is what it was then."
  in
  Arg.(
    value
    & opt (some (number ~what:"number of nanoseconds" ~least:0 ~greatest:1_000_000_000)) None
    & info [ "steal" ] ~docv:"NS" ~doc)

let measure =
  let doc =
    "Then run the program again, without profiling and with its standard output dropped, on one domain and \
     on as many as $(docv) says, and show the speed-up of the time that it spends in Weft's pools."
  in
  Arg.(
    value
    & opt (some (list (number ~what:"number of domains" ~least:1 ~greatest:128))) None
    & info [ "measure" ] ~docv:"LIST" ~doc)

let against =
  let doc =
    "First run $(docv), a command for the shell that does the same work without Weft, and the program on one \
     domain (and on as many as $(b,--measure) says), all with their standard output dropped, and compare the \
     times of the whole runs."
  in
  Arg.(value & opt (some string) None & info [ "against" ] ~docv:"COMMAND" ~doc)

let usual_rounds = 5

let rounds =
  let doc =
    Printf.sprintf
      "With $(b,--measure), $(b,--against) or $(b,--benchmarks): measure $(docv) times, by default %d, turn \
       and turn about; the median counts."
      usual_rounds
  in
  Arg.(
    value
    & opt (some (number ~what:"number of rounds" ~least:1 ~greatest:1000)) None
    & info [ "rounds" ] ~docv:"N" ~doc)

(* {1 Targets} *)

let read =
  file [ "read" ]
    ~doc:
      "Run nothing: read a profile that $(b,--save) or Weft.Profile.save has made. $(b,-) is standard input; \
       what gzip has compressed is decompressed."

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

let usual_domains = 2

let domains =
  let doc =
    Printf.sprintf "With $(b,--benchmarks): measure on one domain and on $(docv), by default %d."
      usual_domains
  in
  Arg.(
    value
    & opt (some (number ~what:"number of domains" ~least:2 ~greatest:128)) None
    & info [ "domains" ] ~docv:"N" ~doc)

let size =
  Arg.(
    value
    & opt (some (number ~what:"size" ~least:0 ~greatest:max_int)) None
    & info [ "size" ] ~docv:"N" ~doc:"With $(b,--benchmarks): their size; by default that of $(b,weft bench).")

let program =
  Arg.(
    value & pos_all string [] & info [] ~docv:"PROGRAM" ~doc:"The program and its arguments, after $(b,--).")

(* {1 Together} *)

(* [given] tells, for each option that only some targets use, whether the user gave it. *)
let without given names ~why result =
  match List.find_opt (fun name -> List.assoc name given) names with
  | None -> `Ok result
  | Some name -> `Error (true, Printf.sprintf "option '%s' has no use %s" name why)

let term =
  let make json svg keep workers steal measure against rounds read benchmarks domains size command =
    let given =
      [
        ("--svg", svg <> None);
        ("--save", keep <> None);
        ("--workers", workers <> None);
        ("--measure", measure <> None);
        ("--against", against <> None);
        ("--rounds", rounds <> None);
        ("--domains", domains <> None);
        ("--size", size <> None);
      ]
    in
    let asked =
      {
        json;
        svg;
        keep;
        workers = Option.value workers ~default:Curve.usual_workers;
        steal;
        measure = Option.value measure ~default:[];
        against;
        rounds = Option.value rounds ~default:usual_rounds;
      }
    in
    match (read, benchmarks, command) with
    | None, None, _ :: _ ->
        let nothing_measured = measure = None && against = None in
        let names = [ "--domains"; "--size" ] @ if nothing_measured then [ "--rounds" ] else [] in
        let why =
          if nothing_measured then "without '--benchmarks', '--measure' or '--against'"
          else "without '--benchmarks'"
        in
        without given names ~why (asked, Run command)
    | Some file, None, [] ->
        without given
          [ "--save"; "--measure"; "--against"; "--rounds"; "--domains"; "--size" ]
          ~why:"with '--read', which runs nothing" (asked, Read file)
    | None, Some names, [] ->
        let domains = Option.value domains ~default:usual_domains in
        without given
          [ "--svg"; "--save"; "--workers"; "--measure"; "--against" ]
          ~why:"with '--benchmarks'"
          (asked, Benchmarks (names, domains, size))
    | None, None, [] -> `Error (true, "there is no PROGRAM to run")
    | _ -> `Error (true, "a PROGRAM, '--read' and '--benchmarks' exclude each other")
  in
  Term.(
    ret
      (const make $ json $ svg $ keep $ workers $ steal $ measure $ against $ rounds $ read $ benchmarks
     $ domains $ size $ program))
