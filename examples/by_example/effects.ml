(* Effects of your own, handled around parallel calls: the same on any number of domains. *)

type _ Effect.t += Config : string -> int Effect.t | Found : int -> unit Effect.t

open Effect.Deep

(* A reader: what the parts ask for. *)
let with_config (type a) config (f : unit -> a) =
  let answer name (k : (int, a) continuation) = continue k (List.assoc name config) in
  let effc (type b) (e : b Effect.t) : ((b, a) continuation -> a) option =
    match e with Config name -> Some (answer name) | _ -> None
  in
  try_with f () { effc }

(* [f ()], and what is done with each number that it finds. *)
let finding (type a) (each : int -> (unit, a) continuation -> a) (f : unit -> a) =
  let effc (type b) (e : b Effect.t) : ((b, a) continuation -> a) option =
    match e with Found n -> Some (each n) | _ -> None
  in
  try_with f () { effc }

(* A state without a lock: the answers are given one after the other, by the caller's task. *)
let collecting f =
  let found = ref [] in
  finding
    (fun n k ->
      found := n :: !found;
      continue k ())
    f;
  List.sort Int.compare !found

let () =
  Weft.run @@ fun () ->
  let limit () = Effect.perform (Config "limit") in
  let a, b = with_config [ ("limit", 20) ] (fun () -> Weft.par limit (fun () -> 2 * limit ())) in
  Printf.printf "%d %d\n" a b;
  let is_prime n =
    n > 1 && Seq.for_all (fun d -> n mod d > 0) (Seq.take_while (fun d -> d * d <= n) (Seq.ints 2))
  in
  collecting (fun () ->
      Weft.parallel_for ~start:1 ~finish:30 ~body:(fun n -> if is_prime n then Effect.perform (Found n)) ())
  |> List.iter (Printf.printf "%d ");
  print_newline ()

(* A task's effects are performed by the first that awaits it, whichever domain runs it; and by the end of its scope. *)
let () =
  Weft.run @@ fun () ->
  let limit () = Effect.perform (Config "limit") in
  let task = Weft.async limit in
  Printf.printf "%d\n" (with_config [ ("limit", 30) ] (fun () -> Weft.await task));
  collecting (fun () ->
      Weft.Scope.run (fun s ->
          List.iter (fun n -> Weft.Scope.start s (fun () -> Effect.perform (Found (n * n)))) [ 1; 2; 3 ]))
  |> List.iter (Printf.printf "%d ");
  print_newline ()

(* A generator over a computation that forks: whoever asks for the next has it go on up to there. *)
let () =
  Weft.run @@ fun () ->
  let rec leaves depth n =
    if depth = 0 then Effect.perform (Found n)
    else ignore (Weft.par (fun () -> leaves (depth - 1) n) (fun () -> leaves (depth - 1) (n + 1)))
  in
  let next =
    ref (fun () ->
        leaves 3 0;
        None)
  in
  let get () =
    finding
      (fun n k ->
        (next := fun () -> continue k ());
        Some n)
      !next
  in
  let sum = Seq.fold_left ( + ) 0 (Seq.of_dispenser get) in
  Printf.printf "%d\n" sum

(* A handler outside the pool does not see the effect. *)
let () =
  match with_config [ ("limit", 20) ] (fun () -> Weft.run (fun () -> Effect.perform (Config "limit"))) with
  | (_ : int) -> ()
  | exception Effect.Unhandled (Config name) -> Printf.printf "nobody inside answers %S\n" name
