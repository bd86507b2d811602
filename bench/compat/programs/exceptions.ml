(* What becomes of exceptions. *)

open Domainslib

exception Spoiled of int

let outcome f = match f () with n -> string_of_int n | exception e -> Printexc.to_string e
let spoil n = raise (Spoiled n) [@@inline never]

let torn_down pool =
  let refused what f =
    match f () with
    | () -> Printf.printf "%s: done\n" what
    | exception Invalid_argument text -> Printf.printf "%s: refused: %s\n" what text
  in
  refused "run" (fun () -> Task.run pool ignore);
  refused "async" (fun () -> ignore (Task.async pool ignore));
  refused "parallel_for" (fun () -> Task.parallel_for pool ~start:1 ~finish:2 ~body:ignore);
  refused "parallel_scan" (fun () -> ignore (Task.parallel_scan pool ( + ) [| 1; 2 |]));
  refused "get_num_domains" (fun () -> ignore (Task.get_num_domains pool));
  refused "teardown_pool" (fun () -> Task.teardown_pool pool);
  refused "setup_pool" (fun () -> ignore (Task.setup_pool ~num_domains:(-1) ()))

let run ~domains ~size =
  Printexc.record_backtrace true;
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let say what f = Printf.printf "%s: %s\n" what (outcome (fun () -> Task.run pool f)) in
  say "run" (fun () -> spoil 1);
  say "await" (fun () -> Task.await pool (Task.async pool (fun () -> spoil 2)));
  say "awaited twice" (fun () ->
      let p = Task.async pool (fun () -> spoil 3) in
      let first = outcome (fun () -> Task.await pool p) in
      let second = outcome (fun () -> Task.await pool p) in
      if first = second then Task.await pool p else 0);
  say "two levels" (fun () ->
      Task.await pool (Task.async pool (fun () -> Task.await pool (Task.async pool (fun () -> spoil 4)) + 1)));
  say "caught" (fun () ->
      try Task.await pool (Task.async pool (fun () -> spoil 5)) with Spoiled n -> n * 10);
  say "for" (fun () ->
      Task.parallel_for pool ~start:1 ~finish:size ~body:(fun i -> if i = size / 2 then spoil i);
      0);
  say "reduce" (fun () ->
      Task.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:size ~body:(fun i ->
          if i = 3 then spoil i else i));
  say "scan" (fun () ->
      let a = Task.parallel_scan pool (fun a b -> if b = 2 then spoil b else a + b) [| 0; 1; 2; 3 |] in
      a.(3));
  say "and goes on" (fun () -> Task.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:10 ~body:Fun.id);
  (* The backtrace leads to where the exception comes from. *)
  (match Task.run pool (fun () -> Task.await pool (Task.async pool (fun () -> spoil 6))) with
  | _ -> ()
  | exception Spoiled _ ->
      let trace = Printexc.get_backtrace () in
      let names_the_source line =
        let part = "exceptions.ml" in
        let n = String.length part in
        let rec at i = i + n <= String.length line && (String.sub line i n = part || at (i + 1)) in
        at 0
      in
      Printf.printf "backtrace: %b\n" (names_the_source trace));
  Task.teardown_pool pool;
  torn_down pool
