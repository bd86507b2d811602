exception Unreachable

(* Waits twice as long before each further attempt. [sleep] suspends the task: no domain is held up. *)
let rec retry ?(pause = 0.001) ~attempts f =
  match f () with
  | answer -> answer
  | exception Unreachable when attempts > 1 ->
      Weft.sleep pause;
      retry ~pause:(2. *. pause) ~attempts:(attempts - 1) f

let () =
  let calls = ref 0 in
  let moody () =
    incr calls;
    if !calls < 4 then raise Unreachable else "hello"
  in
  let answer = retry ~attempts:5 moody in
  Printf.printf "%s, at attempt %d\n" answer !calls;
  match retry ~attempts:2 (fun () -> raise Unreachable) with
  | () -> print_endline "reached"
  | exception Unreachable -> print_endline "given up"
