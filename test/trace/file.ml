module Json = Yojson.Safe.Util

type event = {
  phase : string;
  time : float;
  length : float;
  track : int;
  category : string;
  name : string;
  id : string;
  arguments : (string * Yojson.Safe.t) list;
}

type t = { events : event list; names : (int * string) list; about : Yojson.Safe.t }

let fail fmt = Printf.ksprintf (fun why -> Alcotest.fail why) fmt

(* --- the parts --- *)

let number json = match json with `Int n -> float_of_int n | json -> Json.to_float json
let text_member name json = match Json.member name json with `String s -> s | _ -> ""

let event json =
  {
    phase = text_member "ph" json;
    time = number (Json.member "ts" json);
    length = (match Json.member "dur" json with `Null -> 0. | json -> number json);
    track = Json.to_int (Json.member "tid" json);
    category = text_member "cat" json;
    name = Json.to_string (Json.member "name" json);
    id = text_member "id" json;
    arguments = Json.to_assoc (Json.member "args" json);
  }

let is_metadata json = text_member "ph" json = "M"

let track_name json =
  if is_metadata json && text_member "name" json = "thread_name" then
    Some (Json.to_int (Json.member "tid" json), Json.to_string (Json.member "name" (Json.member "args" json)))
  else None

(* --- rules for every trace --- *)

let phases_of category =
  match category with
  | "job" | "search" -> [ "X" ]
  | "steal" | "worker" | "cancel" -> [ "i" ]
  | "trace" -> [ "X" ]
  | "park" -> [ "X"; "i" ]
  | "suspend" | "lock" | "channel" | "batch" | "blocking" | "blocked" -> [ "b"; "e" ]
  | "loop" -> [ "X"; "b"; "e" ]
  | "region" -> [ "b"; "e"; "i" ]
  | "gc" -> [ "X"; "C" ]
  | "wake" -> [ "s"; "f" ]
  | "counter" | "machine" -> [ "C" ]
  | other -> fail "a category %S" other

let check_event ~until e =
  if not (List.mem e.phase (phases_of e.category)) then fail "%s of phase %S" e.category e.phase;
  if e.time < 0. || e.length < 0. then fail "%s %s at %f, for %f" e.category e.name e.time e.length;
  if e.time > until +. 0.001 then fail "%s %s at %f, after the end" e.category e.name e.time

(* Spans are nested or apart. Times are whole nanoseconds, for exact comparison. *)
let check_nesting events =
  let ns us = int_of_float (Float.round (us *. 1000.)) in
  let spans track =
    List.filter (fun e -> e.phase = "X" && e.track = track) events
    |> List.map (fun e -> (ns e.time, -ns e.length, e))
    |> List.sort (fun (a, l, _) (b, m, _) -> compare (a, l) (b, m))
  in
  let rec walk around = function
    | [] -> ()
    | (began, length, e) :: rest ->
        let ended = began - length in
        let around = List.filter (fun (until, _) -> until > began || (until = began && length = 0)) around in
        (match around with
        | (until, outer) :: _ when ended > until ->
            fail "%s %s (%d to %d) crosses %s %s, which ends at %d" e.category e.name began ended
              outer.category outer.name until
        | _ -> ());
        walk ((ended, e) :: around) rest
  in
  List.iter (fun track -> walk [] (spans track)) (List.sort_uniq compare (List.map (fun e -> e.track) events))

let check_pairs events =
  let open_ = Hashtbl.create 64 in
  let ends = List.filter (fun e -> e.phase = "e") events in
  List.iter
    (fun e ->
      if e.phase = "b" then
        if Hashtbl.mem open_ (e.category, e.id) then fail "%s %s begins twice" e.category e.id
        else Hashtbl.replace open_ (e.category, e.id) e)
    events;
  List.iter
    (fun e ->
      match Hashtbl.find_opt open_ (e.category, e.id) with
      | None -> fail "%s %s ends, and has not begun" e.category e.name
      | Some b ->
          Hashtbl.remove open_ (e.category, e.id);
          if b.name <> e.name then fail "%s begins, %s ends" b.name e.name;
          if b.time > e.time then fail "%s ends before it begins" b.name)
    ends;
  Hashtbl.iter (fun _ e -> fail "%s %s has no end" e.category e.name) open_

let about t name = Json.member name t.about

let read path =
  let json =
    try Yojson.Safe.from_file path with Yojson.Json_error why -> fail "%s is not JSON: %s" path why
  in
  let lines = Json.to_list (Json.member "traceEvents" json) in
  let about = Json.member "weft" (Json.member "otherData" json) in
  let events = List.map event (List.filter (fun line -> not (is_metadata line)) lines) in
  let t = { events; names = List.filter_map track_name lines; about } in
  Alcotest.(check int) "version" 1 (Json.to_int (Json.member "version" about));
  Alcotest.(check int) "events" (List.length events) (Json.to_int (Json.member "events" about));
  let until = number (Json.member "duration_ns" about) /. 1000. in
  List.iter (check_event ~until) events;
  check_nesting events;
  check_pairs events;
  t

(* --- looking things up --- *)

let lost_words t = Json.to_int (Json.member "words" (about t "lost"))

let of_category t ?phase ?name category =
  let is value = function None -> true | Some wanted -> String.equal wanted value in
  List.filter (fun e -> e.category = category && is e.phase phase && is e.name name) t.events

let argument e name =
  match List.assoc_opt name e.arguments with
  | Some value -> value
  | None -> fail "%s %s has no %s" e.category e.name name

let int e name = Json.to_int (argument e name)
let text e name = Json.to_string (argument e name)
let is_unfinished e = List.assoc_opt "unfinished" e.arguments = Some (`Bool true)
