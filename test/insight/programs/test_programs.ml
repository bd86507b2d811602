(* The programs, traced for real. Only what must hold in every run: how long things take is not tested here. *)

let weft = Sys.argv.(1)
let case = Testing.Watchdog.case
let fail format = Printf.ksprintf (fun why -> Alcotest.fail why) format

(* The report of a run as JSON. *)
let report ?(options = []) program arguments =
  let folder = Filename.temp_dir "weft-programs-" "" in
  let path = Filename.concat folder "trace.json" in
  Fun.protect ~finally:(fun () ->
      if Sys.file_exists path then Sys.remove path;
      Sys.rmdir folder)
  @@ fun () ->
  let run arguments =
    let { Testing.Child.code; out; err; _ } = Testing.Child.run weft arguments in
    if code <> 0 then fail "%s: exit code %d: %s" (String.concat " " arguments) code err;
    out
  in
  let program = Filename.concat (Filename.dirname Sys.executable_name) (program ^ ".exe") in
  ignore (run (("trace" :: options) @ [ "-q"; "-o"; path; "--"; program ] @ arguments) : string);
  Yojson.Safe.from_string (run [ "report"; path; "--json"; "-" ])

module Json = Yojson.Safe.Util

let rows name report = Json.to_list (Json.member name report)
let int name json = Json.to_int (Json.member name json)
let kinds report = List.map (fun d -> Json.to_string (Json.member "kind" d)) (rows "diagnoses" report)

(* Nine fibers and the caller wait for a channel or a lock. More at once is a figure of spans without ends. *)
let fibers_of_many = 10

let losses () =
  Testing.Watchdog.until_undisturbed "a ring of 1024 words loses events" @@ fun () ->
  let report = report ~options:[ "--ring"; "10" ] "many" [ "20000" ] in
  let lost = int "lost" report > 0 in
  let first_is_loss = match kinds report with "events_lost" :: _ -> true | _ -> false in
  Alcotest.(check bool) "the first finding, if any were lost" lost first_is_loss;
  List.iter
    (fun wait ->
      let most = int "most_at_once" wait in
      if most > fibers_of_many then fail "%d at once of %d fibers" most fibers_of_many)
    (rows "contention" report);
  if List.length (kinds report) > 10 then fail "more than ten findings";
  if List.mem "too_little_parallelism" (kinds report) && lost then fail "idleness without a cause";
  if lost then Ok () else Error "none"

let () =
  Alcotest.run
    ~argv:[| "test_programs"; "--compact"; "--show-errors" |]
    "programs"
    [ ("losses", [ case "many: lost events come first, and no wait outlasts them" losses ]) ]
