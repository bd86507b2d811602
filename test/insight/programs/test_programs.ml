(* The programs, traced for real. Only what must hold in every run: how long things take is not tested here. *)

let weft = Sys.argv.(1)
let case = Testing.Watchdog.case
let fail format = Printf.ksprintf (fun why -> Alcotest.fail why) format

let run arguments =
  let { Testing.Child.code; out; err; _ } = Testing.Child.run weft arguments in
  if code <> 0 then fail "%s: exit code %d: %s" (String.concat " " arguments) code err;
  out

(* [traced program arguments f] is [f] of the file. *)
let traced ?(options = []) program arguments f =
  Testing.Folder.within "weft-programs-" @@ fun folder ->
  let path = Filename.concat folder "trace.json" in
  let program = Filename.concat (Filename.dirname Sys.executable_name) (program ^ ".exe") in
  ignore (run (("trace" :: options) @ [ "-q"; "-o"; path; "--"; program ] @ arguments) : string);
  f path

let report_of path = Yojson.Safe.from_string (run [ "report"; path; "--json"; "-" ])
let report ?options program arguments = traced ?options program arguments report_of

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

(* Whether the system tells how long a thread was blocked. *)
let is_told =
  let open Weft_platform in
  let clock = Thread_clock.of_self () in
  Fun.protect ~finally:(fun () -> Thread_clock.close clock) @@ fun () ->
  Thread_clock.read clock { ran = 0; waited = 0 } && Thread_clock.use { used = 0; sleeps = 0 }

let blocked path =
  let of_event json =
    if Json.member "cat" json = `String "blocked" && Json.member "name" json = `String "blocked" then
      Json.to_int_option (Json.member "blocked_ns" (Json.member "args" json))
    else None
  in
  List.filter_map of_event (rows "traceEvents" (Yojson.Safe.from_file path))

(* The sleep is told, and lasts 50 ms at least, unless the thread loses its processor in a look. *)
let blocked_fiber () =
  if is_told then
    Testing.Watchdog.until_undisturbed "50 ms are told" @@ fun () ->
    traced "e" [] @@ fun path ->
    let longest = List.fold_left max 0 (blocked path) in
    if longest >= 49_900_000 then Ok () else Error "less"

let () =
  Alcotest.run
    ~argv:[| "test_programs"; "--compact"; "--show-errors" |]
    "programs"
    [
      ("losses", [ case "many: lost events come first, and no wait outlasts them" losses ]);
      ("blocked threads", [ case "e: the blocking call is told, as long as it was" blocked_fiber ]);
    ]
