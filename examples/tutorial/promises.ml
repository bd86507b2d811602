let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let () =
  (* [async] returns at once. Any number of tasks may await the promise. *)
  let slow = Weft.async (fun () -> fib 22) in
  let half = Weft.Promise.map (fun n -> n / 2) slow in
  Printf.printf "%d, half of it %d\n" (Weft.await slow) (Weft.await half);
  (* One that something else settles: another task, a thread, a signal handler. *)
  let answer = Weft.Promise.create () in
  let text = Weft.async (fun () -> "the answer is " ^ string_of_int (Weft.await answer)) in
  Weft.Promise.resolve answer 42;
  print_endline (Weft.await text);
  (* What a task raises, [await] raises. *)
  match Weft.await (Weft.async (fun () -> int_of_string "six")) with
  | n -> Printf.printf "%d\n" n
  | exception Failure _ -> print_endline "not a number"
