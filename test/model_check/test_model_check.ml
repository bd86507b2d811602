open Weft_shadow
open Weft_edits

let real =
  [
    ("deque", Weft_real.Deque_scenarios.all);
    ("joins", Weft_real.Join_scenarios.all);
    ("deferred rests", Weft_real.Deferred_rest_scenarios.all);
    ("promises", Weft_real.Promise_scenarios.all);
    ("claims", Weft_real.Claim_scenarios.all);
    ("locals", Weft_real.Local_scenarios.all);
    ("locks", Weft_real.Lock_scenarios.all);
    ("channels", Weft_real.Channel_scenarios.all);
    ("selects", Weft_real.Select_scenarios.all @ Weft_real.Value_scenarios.selects);
    ("mutexes", Weft_real.Queued_lock_scenarios.mutexes);
    ("semaphores", Weft_real.Queued_lock_scenarios.semaphores);
    ("limits", Weft_real.Wait_queue_scenarios.limits);
    ("conditions", Weft_real.Wait_queue_scenarios.conditions);
    ("rwlocks", Weft_real.Wait_queue_scenarios.rwlocks);
    ("mvars", Weft_real.Value_scenarios.mvars);
    ("put once", Weft_real.Value_scenarios.put_once);
    ("barriers", Weft_real.Value_scenarios.barriers);
    ("broadcasts", Weft_real.Value_scenarios.broadcasts);
    ("pipelines", Weft_real.Value_scenarios.gates);
    ("fibers", Weft_real.Fiber_scenarios.all);
    ("sleepers", Weft_real.Sleep_scenarios.all);
    ("retiring", Weft_real.Retire_scenarios.all);
    ("room", Weft_real.Room_scenarios.all);
    ("timers", Weft_real.Timer_scenarios.all);
    ("courses", Weft_real.Early_exit_scenarios.all);
    ("gates", Weft_real.Publication_list_scenarios.all);
    ("parties", Weft_real.Party_scenarios.all);
  ]

let all = List.concat_map snd real

let with_mutants =
  List.concat
    [
      Weft_mutants.Deque_scenarios.all;
      Weft_mutants.Join_scenarios.all;
      Weft_mutants.Deferred_rest_scenarios.all;
      Weft_mutants.Promise_scenarios.all;
      Weft_mutants.Claim_scenarios.all;
      Weft_mutants.Local_scenarios.all;
      Weft_mutants.Lock_scenarios.all;
      Weft_mutants.Channel_scenarios.all;
      Weft_mutants.Select_scenarios.all;
      Weft_mutants.Queued_lock_scenarios.mutexes;
      Weft_mutants.Queued_lock_scenarios.semaphores;
      Weft_mutants.Wait_queue_scenarios.limits;
      Weft_mutants.Wait_queue_scenarios.conditions;
      Weft_mutants.Wait_queue_scenarios.rwlocks;
      Weft_mutants.Value_scenarios.mvars;
      Weft_mutants.Value_scenarios.put_once;
      Weft_mutants.Value_scenarios.barriers;
      Weft_mutants.Value_scenarios.gates;
      Weft_mutants.Value_scenarios.selects;
      Weft_mutants.Value_scenarios.broadcasts;
      Weft_mutants.Fiber_scenarios.all;
      Weft_mutants.Sleep_scenarios.all;
      Weft_mutants.Retire_scenarios.all;
      Weft_mutants.Room_scenarios.all;
      Weft_mutants.Timer_scenarios.all;
      Weft_mutants.Early_exit_scenarios.all;
      Weft_mutants.Publication_list_scenarios.all;
      Weft_mutants.Party_scenarios.all;
    ]

(* Alcotest captures what tests print: the figures are printed after it. *)
let rows : string list ref = ref []
let row fmt = Printf.ksprintf (fun r -> rows := r :: !rows) fmt

let holds group ~against (s : Scenario.t) () =
  match Scenario.check ~against s with
  | Ok r ->
      row "%-9s %-55s %8d runs %5d discarded %2d outcomes %6.2f s" group s.name r.runs r.discarded
        (List.length s.outcomes) r.seconds
  | Error why -> Alcotest.fail why

let find scenarios name =
  match List.find_opt (fun (s : Scenario.t) -> s.name = name) scenarios with
  | Some s -> s
  | None -> Alcotest.failf "no scenario is called %S" name

let first_line s = List.hd (String.split_on_char '\n' s)

let is_caught (m : Edit.mutant) () =
  if m.caught_by = [] then Alcotest.fail "no scenario is named that catches it";
  let caught name =
    let s = find with_mutants name in
    Mutation.plant m.name;
    let verdict = Fun.protect (fun () -> Explore.all s.set_up) ~finally:(fun () -> Mutation.plant "") in
    match verdict with
    | Broken { why; runs; _ } -> row "mutant    %-55s %8d runs: %s (%s)" m.name runs (first_line why) name
    | Holds r -> Alcotest.failf "%S does not catch it in %d runs" name r.runs
  in
  List.iter caught m.caught_by

(* Otherwise a fault of the planting itself could pass for the planted one. *)
let holds_unplanted () =
  let names = List.sort_uniq compare (List.concat_map (fun (m : Edit.mutant) -> m.caught_by) Edits.mutants) in
  let check name =
    match Scenario.check ~against:(`Random 1) (find with_mutants name) with
    | Ok _ -> ()
    | Error why -> Alcotest.failf "%s: %s" name why
  in
  List.iter check names

let quick = Testing.Watchdog.case

(* These may take longer than the watchdog allows, and wait for nobody. *)
let slow name test = Alcotest.test_case name `Slow test

let of_group (group, scenarios) =
  let case (s : Scenario.t) =
    (if s.long then slow else quick) s.name (holds group ~against:(`Random 100) s)
  in
  (group, List.map case scenarios)

(* dscheck's first algorithm takes all accesses to the same cell for dependent, and is much slower. *)
let of_dscheck =
  let same case name = case ("Dpor finds the same: " ^ name) (holds "Dpor" ~against:`Dpor (find all name)) in
  ( "dscheck itself",
    [
      same quick "a join and a thief";
      same quick "a holder that raises";
      same slow "a task, its maker waits, a thief";
      same slow "a holder that a signal handler interrupts";
      slow "3,000 random runs find nothing new" (fun () ->
          List.iter
            (fun (s : Scenario.t) -> if not s.long then holds "random" ~against:(`Random 3_000) s ())
            all);
    ] )

let of_mutants =
  ( "mutants",
    List.map (fun (m : Edit.mutant) -> quick m.name (is_caught m)) Edits.mutants
    @ [ quick "without a planted fault all holds" holds_unplanted ] )

let () =
  let groups = List.map of_group real @ [ of_dscheck; of_mutants ] in
  let passed =
    try Ok (Alcotest.run ~and_exit:false "model-check" groups) with Alcotest.Test_error -> Error ()
  in
  List.iter print_endline (List.rev !rows);
  if Result.is_error passed then exit 1
