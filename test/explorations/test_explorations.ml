module Effort = Testing.Effort

let case = Testing.Watchdog.case
let patience = 1_000

let failure what f =
  match f () with
  | () -> Alcotest.failf "%s: no failure" what
  | exception Weft_explore.Failed report -> report

(* What stands between {| and |} in a report. *)
let between first last text =
  let find part from =
    let n = String.length part in
    let rec go i = if String.sub text i n = part then i else go (i + 1) in
    go from
  in
  let start = find first 0 + String.length first in
  String.sub text start (find last start - start)

let most_choices = 30

let is_found (fault : Faults.t) () =
  let seeds = Effort.some ~quick:[ 0 ] [ 0; 1_000_000; 2_000_000 ] in
  List.iter
    (fun seed ->
      let report = failure fault.name (fun () -> Weft_explore.check ~patience ~seed fault.f) in
      let first = List.hd (String.split_on_char '\n' report) in
      if not (String.ends_with ~suffix:(" fails: " ^ fault.kind) first) then
        Alcotest.failf "%s: %s" fault.name report;
      let schedule = between "{|" "|}" report in
      let choices = List.length (String.split_on_char '\n' schedule) - 2 in
      if choices > most_choices then Alcotest.failf "%s: %d choices are left" fault.name choices;
      let again () =
        failure (fault.name ^ ", again") (fun () -> Weft_explore.replay ~patience schedule fault.f)
      in
      let table = again () in
      Alcotest.(check string) "the same" table (again ());
      if not (String.starts_with ~prefix:(fault.kind ^ "\n") table) then
        Alcotest.failf "%s, again: %s" fault.name table)
    seeds

let tests = List.map (fun (f : Faults.t) -> case f.name (is_found f)) Faults.all

(* --- the library --- *)

(* A system call for each operation. *)
let is_slow name = name = "log"

let holds (name, f) =
  let schedules = Effort.count ~quick:200 ~usual:10_000 ~long:100_000 in
  let schedules = if is_slow name then schedules / 50 else schedules in
  case name (fun () ->
      Weft_explore.check ~patience ~schedules f;
      ignore (Weft_explore.check_all ~patience ~schedules:(schedules / 2) ~switches:2 f : bool))

let () = Alcotest.run "explorations" [ ("faults", tests); ("library", List.map holds Own.all) ]
