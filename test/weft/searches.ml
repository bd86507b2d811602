open Support
open Loops

(* parallel_find and parallel_find_first against the sequential search. *)

type step = Nothing | Answer of int | Failure_of of int

let print_step = function
  | Nothing -> "."
  | Answer n -> string_of_int n
  | Failure_of n -> "!" ^ string_of_int n

let print (chunk, steps) =
  Printf.sprintf "chunk %s: %s"
    (match chunk with None -> "free" | Some c -> string_of_int c)
    (String.concat " " (Array.to_list (Array.map print_step steps)))

(* Rare answers, rare failures, or plenty of both; the value is the index, so all values differ. *)
let case_of_search =
  let open QCheck.Gen in
  let steps =
    oneofl [ (1, 1, 500); (1, 1, 50); (1, 0, 100); (0, 1, 100); (1, 3, 6); (0, 0, 1); (5, 1, 20) ]
    >>= fun (answers, failures, nothing) ->
    let step = frequency [ (answers, return `A); (failures, return `F); (nothing, return `N) ] in
    array_size (frequency [ (3, int_bound 20); (3, int_bound 200); (1, int_bound 3000) ]) step
    >|= Array.mapi (fun i -> function `A -> Answer i | `F -> Failure_of i | `N -> Nothing)
  in
  pair (frequency [ (2, return None); (1, map Option.some (1 -- 9)) ]) steps

let body ~start steps i =
  let k = i - start in
  noise ();
  match steps.(k) with Nothing -> None | Answer n -> Some n | Failure_of n -> raise (Planned n)

let outcome f = match f () with answer -> Ok answer | exception Planned n -> Error n

let rec sequential steps i =
  if i = Array.length steps then Ok None
  else
    match steps.(i) with
    | Nothing -> sequential steps (i + 1)
    | Answer n -> Ok (Some n)
    | Failure_of n -> Error n

let check ~count property =
  everywhere @@ fun place ->
  let test = QCheck.Test.make ~count ~name:place.name (QCheck.make ~print case_of_search) (property place) in
  QCheck.Test.check_exn ~rand:(Random.State.make [| 23 |]) test

let start_of steps =
  match Array.length steps mod 3 with 0 -> 0 | 1 -> -7 | _ -> max_int - Array.length steps + 1

let first_is_sequential () =
  check ~count:(often 250) @@ fun place (chunk_size, steps) ->
  let start = start_of steps in
  let find () =
    let finish = start + Array.length steps - 1 in
    if steps = [||] then
      Weft.parallel_find_first ?chunk_size ~start ~finish:(start - 1) ~body:(body ~start steps) ()
    else Weft.parallel_find_first ?chunk_size ~start ~finish ~body:(body ~start steps) ()
  in
  outcome (fun () -> place.call find) = sequential steps 0

let any_is_some_answer () =
  check ~count:(often 250) @@ fun place (chunk_size, steps) ->
  let start = start_of steps in
  let ran = Atomic.make [] in
  let body i =
    (* A step counts once it is done: the search may end before, which cancels the iteration. *)
    match body ~start steps i with
    | None -> None
    | answer ->
        add_to ran steps.(i - start);
        answer
    | exception (Planned _ as exn) ->
        add_to ran steps.(i - start);
        raise exn
  in
  let find () = Weft.parallel_find ?chunk_size ~start ~finish:(start - 1 + Array.length steps) ~body () in
  let result = outcome (fun () -> place.call find) in
  let ran = Atomic.get ran in
  let answers = List.filter_map (function Answer n -> Some n | _ -> None) ran in
  let failures = List.filter_map (function Failure_of n -> Some n | _ -> None) ran in
  match result with
  | Ok (Some n) -> List.mem n answers
  | Ok None -> Array.for_all (( = ) Nothing) steps
  | Error n -> answers = [] && n = List.fold_left min max_int failures

let in_threads_too () =
  everywhere @@ fun place ->
  in_threads 4 @@ fun seed ->
  let rand = Random.State.make [| seed |] in
  for _ = 1 to often 20 do
    let chunk_size, steps = QCheck.Gen.generate1 ~rand case_of_search in
    let find () =
      Weft.parallel_find_first ?chunk_size ~start:0
        ~finish:(Array.length steps - 1)
        ~body:(body ~start:0 steps) ()
    in
    if outcome (fun () -> place.call find) <> sequential steps 0 then
      Alcotest.failf "differs: %s" (print (chunk_size, steps))
  done

let searches_stop () =
  everywhere @@ fun place ->
  let search what find =
    let s = stopping () in
    let body i =
      if i > 5 then begins s;
      Unix.sleepf 0.0002;
      if i = 5 then begin
        Atomic.set s.told true;
        Some i
      end
      else None
    in
    Alcotest.(check (option int)) what (Some 5) (place.call (fun () -> find body));
    stopped (place.name ^ ", " ^ what) s ~domains:place.domains
  in
  search "any" (fun body -> Weft.parallel_find ~chunk_size:1 ~start:0 ~finish:1999 ~body ());
  search "first" (fun body -> Weft.parallel_find_first ~chunk_size:1 ~start:0 ~finish:1999 ~body ())

let found_while_others_fail () =
  (* The answer is known before any body fails. *)
  pools_that_spread @@ fun name _ run ->
  let known = Atomic.make false in
  let body i =
    if i = 0 then begin
      Atomic.set known true;
      Some i
    end
    else begin
      wait_until "the answer is known" (fun () -> Atomic.get known);
      Unix.sleepf 0.001;
      raise (Planned i)
    end
  in
  for _ = 1 to 10 do
    Atomic.set known false;
    let answer = run (fun () -> Weft.parallel_find ~chunk_size:1 ~start:0 ~finish:7 ~body ()) in
    Alcotest.(check (option int)) (name ^ ", any") (Some 0) answer;
    Atomic.set known false;
    let answer = run (fun () -> Weft.parallel_find_first ~chunk_size:1 ~start:0 ~finish:7 ~body ()) in
    Alcotest.(check (option int)) (name ^ ", first") (Some 0) answer
  done

let tests =
  [
    case "the first answer is that of the sequential search" first_is_sequential;
    case "the first answer, from several threads" in_threads_too;
    case "any answer is one, and none is said only if there is none" any_is_some_answer;
    case "no new iterations start after an answer" searches_stop;
    case "an answer wins against failures after it" found_while_others_fail;
  ]
