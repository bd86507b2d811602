open Weft_bench_harness
open Weft_bench_elastic
open Weft_bench_compat
open Weft_bench_results
open Cmdliner

let name = "compat"
let doc = "compare weft-domainslib with domainslib, on programs written against it"

(* {1 Measuring} *)

let missing library =
  let what = Comparing.name library in
  match library with
  | Comparing.Domainslib ->
      Output.error
        (what
       ^ " is not there, so there is nothing to compare with: weft was built without it. 'make rivals' gets \
          it (or: opam install domainslib); then build again")
  | Weft_domainslib ->
      Output.error
        "the programs with weft-domainslib are not beside this program: build or install the package \
         weft-tools whole"

let report ~runs start places rows =
  let header = Header.finish ~warm_up:false start ~runs in
  let text = Table.render rows ^ "\n" ^ Comparing.verdict rows ^ Header.summary header in
  Output.report { Results.header; rows; skipped = [] } ~text places

let measure ~programs ~runs ~limit places entries =
  Output.warn_of_profile ();
  let start = Header.start () in
  let progress = Progress.start ~rounds:runs (List.map Comparing.describe entries) in
  let show ~round entry =
    Progress.step progress ~about:(Printf.sprintf "round %d of %d" round runs) (Comparing.describe entry)
  in
  let run () =
    Fun.protect ~finally:(fun () -> Progress.finish progress) @@ fun () ->
    Comparing.run ~programs ~runs ~limit ~progress:show entries
  in
  match Processes.guarded run with
  | Ok (Ok rows) -> report ~runs start places rows
  | Ok (Error message) ->
      Output.error message;
      Output.exit_wrong
  | Error signal -> Processes.die_of signal

(* {1 What there is} *)

let located () =
  let find library =
    let found = Comparing.locate ~program:Sys.executable_name library in
    if Option.is_none found then missing library;
    Option.map (fun programs -> (library, programs)) found
  in
  List.filter_map find [ Comparing.Domainslib; Weft_domainslib ]

let entries ~programs ~domains measurables =
  let entry domains measurable (library, _) = { Comparing.library; measurable; domains } in
  let of_program measurable =
    List.concat_map (fun domains -> List.map (entry domains measurable) programs) domains
  in
  List.concat_map of_program measurables

let chosen names (measurables : Comparing.measurable list) =
  let is_called name (m : Comparing.measurable) = String.equal m.program name in
  let find name =
    match List.find_opt (is_called name) measurables with
    | Some m -> Ok m
    | None -> Error (Printf.sprintf "option '--program': there is no program '%s' (see --list)" name)
  in
  match names with
  | None -> Ok measurables
  | Some names ->
      let add all name = Result.bind all (fun all -> Result.map (fun m -> all @ [ m ]) (find name)) in
      List.fold_left add (Ok []) names

let compat ~names ~domains ~runs ~limit ~forms ~listing =
  let programs = located () in
  match List.assoc_opt Comparing.Weft_domainslib programs with
  | None -> `Ok Output.exit_wrong
  | Some own -> (
      match Result.map (chosen names) (Comparing.list own) with
      | Error message ->
          Output.error message;
          `Ok Output.exit_wrong
      | Ok (Error message) -> `Error (false, message)
      | Ok (Ok measurables) when listing ->
          let line (m : Comparing.measurable) = Printf.sprintf "%s: size %d\n" m.program m.size in
          `Ok (Output.print (String.concat "" (List.map line measurables)))
      | Ok (Ok measurables) ->
          Output.to_places forms (fun places ->
              measure ~programs ~runs ~limit places (entries ~programs ~domains measurables)))

(* {1 Command line} *)

let number name ~what ~greatest ~default ~docv ~doc =
  Arg.(value & opt (Arguments.number ~what ~least:1 ~greatest ()) default & info [ name ] ~docv ~doc)

let list_of element = Arg.some (Arguments.distinct element)

let names_arg =
  let doc = "Programs to run (see $(b,--list)). Default: all." in
  Arg.(value & opt (list_of string) None & info [ "program" ] ~docv:"PROGRAM,..." ~doc)

let domains_arg =
  let count =
    Arguments.number ~what:"number of domains" ~least:1 ~greatest:Weft_platform.Machine.max_domains ()
  in
  let doc =
    "Numbers of domains, the calling one included: a pool is set up with one less. Default: 1 and the size \
     of the default pool."
  in
  Arg.(value & opt (list_of count) None & info [ "domains" ] ~docv:"N,..." ~doc)

let list_arg =
  Arg.(value & flag & info [ "list" ] ~doc:"Print the programs and their sizes, and run nothing.")

let default_domains () = List.sort_uniq Int.compare [ 1; Weft.Pool.default_domains () ]

let term =
  let open Term.Syntax in
  let+ names = names_arg
  and+ domains = domains_arg
  and+ runs =
    number "runs" ~what:"number of runs" ~greatest:1_000 ~default:3 ~docv:"N"
      ~doc:"Measured runs of each configuration."
  and+ limit =
    number "limit" ~what:"number of seconds" ~greatest:600 ~default:60 ~docv:"SECONDS"
      ~doc:"The time that a run may take."
  and+ forms = Output.results_arg
  and+ listing = list_arg in
  let domains = match domains with Some domains -> domains | None -> default_domains () in
  compat ~names ~domains ~runs ~limit:(float_of_int limit) ~forms ~listing

let man =
  [
    `S Manpage.s_description;
    `P
      "Runs programs that are written against domainslib with that library and with $(b,weft-domainslib), \
       interleaved, every run in a process of its own, and shows the ratio of the medians ($(b,x \
       domainslib): less than 1 is faster). The time is that of the whole process. All runs of a program \
       must print the same, with both libraries and on any number of domains.";
    `P
      "Where domainslib was not there when weft was built, the command says so and runs the programs with \
       $(b,weft-domainslib) alone.";
    `S Manpage.s_examples;
    `Pre "  weft bench compat --domains 1,2 --runs 9 --json compat.json";
    `Pre "  weft bench compat --program fib_fine,loops_chunk_4";
  ]

let cmd = Cmd.v (Cmd.info name ~doc ~man ~exits:Output.exits) (Term.ret term)
