(* One test looks at what nobody awaited. *)
let reported f =
  let before = Weft.uncaught_handler () and seen = Atomic.make [] in
  let rec add exn =
    let was = Atomic.get seen in
    if not (Atomic.compare_and_set seen was (exn :: was)) then add exn
  in
  Weft.set_uncaught_handler (fun exn _ -> add exn);
  Fun.protect ~finally:(fun () -> Weft.set_uncaught_handler before) f;
  Atomic.get seen

let () =
  Weft.exit_on_uncaught 1;
  (* A pool that is closed has run all its tasks, and nobody can await this one any more. *)
  let forgotten () =
    Weft.run ~domains:2 (fun () -> ignore (Weft.async (fun () -> failwith "lost") : unit Weft.promise))
  in
  (match reported forgotten with
  | [ Failure what ] -> Printf.printf "%s\n" what
  | _ -> print_endline "nothing");
  (* Expect tests: what tasks print comes in any order, so collect it and print it in one. *)
  let squares = Weft.List.map (fun n -> Printf.sprintf "%d squared is %d" n (n * n)) [ 1; 2; 3 ] in
  List.iter print_endline squares;
  assert (Weft.uncaught_handler () == Weft.default_uncaught_handler)
