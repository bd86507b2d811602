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

(* Short searches inside a loop that has left many jobs, on one domain, and where thieves want work in the middle
   of them; bodies spin, yield and wait for each other. *)

let short_case =
  let open QCheck.Gen in
  let step = frequency [ (1, return `A); (1, return `F); (20, return `N) ] in
  array_size (int_bound 35) step
  >|= Array.mapi (fun i -> function `A -> Answer i | `F -> Failure_of i | `N -> Nothing)

let short_in_a_loop () =
  in_each_size @@ fun () ->
  let rand = Random.State.make [| 31 |] in
  let cases = QCheck.Gen.generate ~rand ~n:(often 2_000) short_case in
  let check steps =
    let last = Array.length steps - 1 in
    let slow i =
      match Hashtbl.hash (i, last) land 63 with 0 -> Weft.yield () | 1 -> spin 20_000 | _ -> ()
    in
    let start = start_of steps in
    let body i =
      slow i;
      body ~start steps i
    in
    let finish = if last < 0 then start - 1 else start + last in
    let first = outcome (fun () -> Weft.parallel_find_first ~start ~finish ~body ()) in
    if first <> sequential steps 0 then Alcotest.failf "first: %s" (print (None, steps));
    match outcome (fun () -> Weft.parallel_find ~start ~finish ~body ()) with
    | Ok (Some n) -> if steps.(n) <> Answer n then Alcotest.failf "any: %d of %s" n (print (None, steps))
    | Ok None -> if Array.exists (( <> ) Nothing) steps then Alcotest.failf "any: %s" (print (None, steps))
    | Error n -> if steps.(n) <> Failure_of n then Alcotest.failf "any: %d raised" n
  in
  Weft.List.iter check cases

(* The first body waits for the last one, and then answers, finds nothing or fails. *)
let short_waiting_in_a_loop () =
  in_each_size @@ fun () ->
  let search n answers =
    let last = Weft.Promise.create () in
    let body i =
      if i = 0 then Weft.await last;
      if i = n - 1 then Weft.Promise.resolve last ();
      answers i
    in
    Weft.parallel_find ~start:0 ~finish:(n - 1) ~body ()
  in
  let check n =
    let none = search n (fun _ -> None) in
    let first = search n (fun i -> if i = 0 then Some i else None) in
    let other = search n (fun i -> if i = n - 1 then Some i else None) in
    if (none, first, other) <> (None, Some 0, Some (n - 1)) then Alcotest.failf "wrong of %d" n;
    (match search n (fun i -> if i = 0 then raise (Planned n) else None) with
    | _ -> Alcotest.failf "no exception of %d" n
    | exception Planned m -> check_int "the exception" n m);
    match search n (fun i -> if i = n - 1 then raise (Planned n) else None) with
    | _ -> Alcotest.failf "no exception of %d" n
    | exception Planned m -> check_int "the exception" n m
  in
  Weft.List.iter check (List.init (often 200) (fun i -> 2 + (i mod 30)))

(* A token that is cancelled in a body ends the search, also one whose rest is elsewhere. *)
let short_cancelled () =
  in_each_size @@ fun () ->
  let check n =
    let token = Weft.Cancel.create () in
    let last = Weft.Promise.create () in
    let body i =
      if i = 0 then Weft.await last;
      if i = n - 1 then Weft.Cancel.cancel token;
      None
    in
    match Weft.Cancel.within token (fun () -> Weft.parallel_find ~start:0 ~finish:(n - 1) ~body ()) with
    | Some () | None -> Alcotest.fail "not cancelled"
    | exception Weft.Cancel.Cancelled _ -> ()
  in
  Weft.List.iter check (List.init (often 100) (fun i -> 2 + (i mod 30)))

let tests =
  [
    case "the first answer is that of the sequential search" first_is_sequential;
    case "the first answer, from several threads" in_threads_too;
    case "any answer is one, and none is said only if there is none" any_is_some_answer;
    case "no new iterations start after an answer" searches_stop;
    case "an answer wins against failures after it" found_while_others_fail;
    case "short searches in a loop" short_in_a_loop;
    case "short searches do not wait for a body that waits" short_waiting_in_a_loop;
    case "short searches are cancelled" short_cancelled;
  ]
