open Weft_containers.Datalog

(* One worker evaluates in parts, too: it looks at what else is ready only between two of them. *)
let many_tasks () =
  let parts = ref [] in
  let each n f =
    parts := n :: !parts;
    for i = 0 to n - 1 do
      f i
    done
  in
  let n = 50_000 in
  let edges = Buffer.create (20 * n) in
  for i = 1 to n do
    Printf.bprintf edges "edge(%d, %d).\n" i (i + 1)
  done;
  let db =
    of_string ~runner:{ width = (fun () -> 1); each } (Buffer.contents edges ^ "back(Y, X) :- edge(X, Y).")
  in
  Alcotest.(check bool) "evaluated" true (holds db (parse_query "back(2, 1)"));
  Alcotest.(check bool) "in parts" true (List.exists (fun tasks -> tasks >= 10) !parts)

let tests = [ Testing.Watchdog.case "one worker evaluates in parts" many_tasks ]
