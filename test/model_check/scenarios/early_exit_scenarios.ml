exception Failed of int

let () = Printexc.register_printer (function Failed i -> Some (Printf.sprintf "Failed %d" i) | _ -> None)

type block = Fails | Answers

(* What a run has shown so far, as numbers of blocks. [limit]: no block above it may start. *)
type seen = {
  mutable failed : int list;
  mutable answered : int list;
  mutable suppressed : int list;
  mutable limit : int;
  mutable late : int list; (* blocks that started above it *)
}

let smallest = List.fold_left min max_int
let numbers ns = String.concat " " (List.map string_of_int (List.sort compare ns))

(* A process for each of [blocks]. [limit i]: the last block that may start once block [i] has ended. *)
let spawn seen (loop : Loop.blocks) ~limit blocks =
  let one (i, _) =
    Process.spawn (Printf.sprintf "block %d" i) @@ fun () ->
    Loop.run loop i;
    if List.mem i seen.failed || List.mem i seen.answered then seen.limit <- min seen.limit (limit i)
  in
  List.iter one blocks

let look seen blocks i =
  if i > seen.limit then seen.late <- i :: seen.late;
  match List.assoc i blocks with
  | Fails ->
      seen.failed <- i :: seen.failed;
      raise (Failed i)
  | Answers ->
      seen.answered <- i :: seen.answered;
      Some i

(* [wins seen outcome] says whether that outcome is right. *)
let scenario name ~outcomes ~limit ~wins blocks search : Scenario.t =
  let set_up () =
    let seen = { failed = []; answered = []; suppressed = []; limit = max_int; late = [] } in
    Uncaught.set_suppressed_handler (fun exn _ ->
        match exn with Failed i -> seen.suppressed <- i :: seen.suppressed | exn -> raise exn);
    let loop, rest = Loop.hold (fun () -> search (fun i _ -> look seen blocks i)) in
    spawn seen loop ~limit blocks;
    fun () ->
      if seen.late <> [] then Explore.violate "too late: %s" (numbers seen.late);
      List.iter
        (fun (i, _) ->
          if i < seen.limit && not (List.mem i (seen.failed @ seen.answered)) then
            Explore.violate "block %d has not run, though the limit is %d" i seen.limit)
        blocks;
      let outcome = match rest () with answer -> Ok answer | exception Failed i -> Error i in
      if not (wins seen outcome) then
        Explore.violate "failed: %s; answered: %s; the outcome is %s" (numbers seen.failed)
          (numbers seen.answered)
          (match outcome with
          | Ok None -> "none"
          | Ok (Some i) -> "answer " ^ string_of_int i
          | Error i -> "failure " ^ string_of_int i);
      (* All failures except the one that is raised. *)
      let others =
        match outcome with Ok _ -> seen.failed | Error raised -> List.filter (( <> ) raised) seen.failed
      in
      if List.sort compare others <> List.sort compare seen.suppressed then
        Explore.violate "failed: %s; suppressed: %s" (numbers seen.failed) (numbers seen.suppressed);
      let ended what = function [] -> [] | ns -> [ numbers ns ^ " " ^ what ] in
      String.concat ", " (ended "failed" seen.failed @ ended "answered" seen.answered)
  in
  { name; long = false; outcomes; set_up }

let all_stop _ = min_int
let above i = i
let ends = Loop.blocks ~who:"" ~start:0 ~finish:0

let loop look =
  ends (fun i j -> ignore (look i j));
  None

let loop_above look =
  ends ~exit:(Early_exit.start Above) (fun i j -> ignore (look i j));
  None

let smallest_failure seen outcome = outcome = Error (smallest seen.failed)

let like_sequential seen outcome =
  let failure = smallest seen.failed and answer = smallest seen.answered in
  outcome = if failure < answer then Error failure else Ok (Some answer)

let any_answer seen = function
  | Ok (Some i) -> List.mem i seen.answered
  | Ok None -> false
  | Error i -> seen.answered = [] && i = smallest seen.failed

(* A pipeline ends when its last item has ended, though it may be another thread that stops it. *)
let stopped_for_a_reason : Scenario.t =
  let set_up () =
    let c = Early_exit.start All and ran = ref false and reason = ref None in
    Process.spawn "one that stops" (fun () -> Early_exit.fail c 1 (Failed 1) (Printexc.get_callstack 0));
    Process.spawn "one that is stopped" (fun () ->
        ran := Early_exit.may_run c 2;
        if not !ran then reason := Early_exit.failed_at c);
    fun () ->
      if !ran then "ran"
      else if !reason = None then Explore.violate "it was stopped before there was a failure"
      else "stopped"
  in
  { name = "whoever is stopped sees why"; long = false; outcomes = [ "ran"; "stopped" ]; set_up }

let all : Scenario.t list =
  [
    stopped_for_a_reason;
    scenario "three blocks fail" ~limit:all_stop ~wins:smallest_failure
      ~outcomes:
        [ "1 failed"; "2 failed"; "3 failed"; "1 2 failed"; "1 3 failed"; "2 3 failed"; "1 2 3 failed" ]
      [ (1, Fails); (2, Fails); (3, Fails) ]
      loop;
    scenario "three blocks fail, those above stop" ~limit:above ~wins:smallest_failure
      ~outcomes:[ "1 failed"; "1 2 failed"; "1 3 failed"; "1 2 3 failed" ]
      [ (1, Fails); (2, Fails); (3, Fails) ]
      loop_above;
    scenario "the first of three answers" ~limit:above ~wins:like_sequential
      ~outcomes:[ "1 answered"; "1 2 answered"; "1 3 answered"; "1 2 3 answered" ]
      [ (1, Answers); (2, Answers); (3, Answers) ]
      (Search.first ~who:"" ~start:1 ~finish:3);
    scenario "the first of an answer between failures" ~limit:above ~wins:like_sequential
      ~outcomes:[ "1 failed"; "1 3 failed"; "1 failed, 2 answered"; "1 3 failed, 2 answered" ]
      [ (1, Fails); (2, Answers); (3, Fails) ]
      (Search.first ~who:"" ~start:1 ~finish:3);
    scenario "the first of a failure between answers" ~limit:above ~wins:like_sequential
      ~outcomes:[ "1 answered"; "1 3 answered"; "2 failed, 1 answered"; "2 failed, 1 3 answered" ]
      [ (1, Answers); (2, Fails); (3, Answers) ]
      (Search.first ~who:"" ~start:1 ~finish:3);
    scenario "any of two answers and a failure" ~limit:all_stop ~wins:any_answer
      ~outcomes:
        [
          "1 answered";
          "3 answered";
          "1 3 answered";
          "2 failed";
          "2 failed, 1 answered";
          "2 failed, 3 answered";
          "2 failed, 1 3 answered";
        ]
      [ (1, Answers); (2, Fails); (3, Answers) ]
      (Search.any ~who:"" ~start:1 ~finish:3);
  ]
