(* What weft report says of the programs' real traces: which line, which fiber, which lock. *)

let weft = Sys.argv.(1)
let case = Testing.Watchdog.case
let fail format = Printf.ksprintf (fun why -> Alcotest.fail why) format

let run arguments =
  let { Testing.Child.code; out; err; _ } = Testing.Child.run weft arguments in
  if code <> 0 then fail "%s: exit code %d: %s" (String.concat " " arguments) code err;
  out

(* [traced program arguments f] is [f] of the file. *)
let traced program arguments f =
  Testing.Folder.within "weft-names-" @@ fun folder ->
  let path = Filename.concat folder "trace.json" in
  let program = Filename.concat (Filename.dirname Sys.executable_name) (program ^ ".exe") in
  ignore (run ([ "trace"; "-q"; "-o"; path; "--"; program ] @ arguments) : string);
  f path

let report path = Yojson.Safe.from_string (run [ "report"; path; "--json"; "-" ])

module Json = Yojson.Safe.Util

let rows name report = Json.to_list (Json.member name report)

(* Only executables in ELF tell lines, and only Linux how long a thread was blocked. *)
let lines = Sys.file_exists "/proc/self/exe"

let is_told =
  let open Weft_platform in
  let clock = Thread_clock.of_self () in
  Fun.protect ~finally:(fun () -> Thread_clock.close clock) @@ fun () ->
  Thread_clock.read clock { ran = 0; waited = 0 } && Thread_clock.use { used = 0; sleeps = 0 }

(* On a busy machine others have the lock, or run in a chain, for longer than those that the program wants. *)
let waits program arguments what is_right =
  Testing.Watchdog.until_undisturbed what @@ fun () ->
  let all = rows "contention" (traced program arguments report) in
  if List.exists is_right all then Ok () else Error (Yojson.Safe.to_string (`List all))

let is key ~starts ~at json =
  match Json.member key json with
  | `String s -> String.starts_with ~prefix:starts s && ((not lines) || String.ends_with ~suffix:(at ^ "`)") s)
  | _ -> false

(* Tasks are numbered as they are started, from 2 on: the scope's body is fiber 1. *)
let lock () =
  waits "a" [] "the fifth of eight, from 0 on, holds the lock longest" @@ fun wait ->
  is "holder" ~starts:"fiber 7 " ~at:"a.ml:24" wait
  && Json.to_int (Json.member "waiting_fibers" wait) >= 7
  && Json.member "name" wait = `String "table"

let chain () =
  waits "alike" [ "named" ] "all wait for the 37th" @@ fun wait ->
  is "root" ~starts:"fiber 39 `stage 37`" ~at:"alike.ml:10" wait

let events category path =
  let is_wanted json = Json.member "cat" json = `String category in
  List.filter is_wanted (rows "traceEvents" (Yojson.Safe.from_file path))

let arguments json = Json.member "args" json

let loop () =
  traced "b" [] @@ fun path ->
  let places =
    List.filter_map (fun e -> Json.to_string_option (Json.member "at" (arguments e))) (events "loop" path)
  in
  let is_right = String.ends_with ~suffix:"b.ml:9" in
  if lines && (places = [] || not (List.for_all is_right places)) then fail "%s" (String.concat ", " places)

(* All that wait for requests are of one line, and one of them is blocked. *)
let blocked () =
  if is_told then
    Testing.Watchdog.until_undisturbed "50 ms are told, with the fiber" @@ fun () ->
    traced "e" [] @@ fun path ->
    let about = Json.member "weft" (Json.member "otherData" (Yojson.Safe.from_file path)) in
    let line_of n =
      let is_it f = Json.member "fiber" f = `Int n in
      Option.bind
        (List.find_opt is_it (rows "fibers" about))
        (fun f -> Json.to_string_option (Json.member "at" f))
    in
    let of_event e =
      match (Json.member "blocked_ns" (arguments e), Json.member "fiber" (arguments e)) with
      | `Int ns, `Int fiber when ns >= 49_900_000 -> Some (line_of fiber)
      | _ -> None
    in
    match List.filter_map of_event (events "blocked" path) with
    | [] -> Error "no such event"
    | places ->
        let is_right = function Some at -> String.ends_with ~suffix:"e.ml:27" at | None -> not lines in
        if List.exists is_right places then Ok () else Error "another line"

let () =
  Unix.putenv "WEFT_DOMAINS" "2";
  Alcotest.run
    ~argv:[| "test_names"; "--compact"; "--show-errors" |]
    "names"
    [
      ("locks", [ case "a: who held the lock, and where" lock ]);
      ("loops", [ case "b: the line of the loop" loop ]);
      ("blocked threads", [ case "e: the fiber that blocks, and its line" blocked ]);
      ("chains", [ case "alike: the fiber that all wait for" chain ]);
    ]
