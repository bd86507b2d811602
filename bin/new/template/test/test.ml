let () =
  (* A task that nobody awaits may fail: then this program does, too. *)
  Weft.exit_on_uncaught 1;
  assert (Collatz.steps 27 = 111);
  let check n = assert (Collatz.longest n = Collatz.longest_sequentially n) in
  List.iter
    (fun domains -> Weft.run ~domains (fun () -> List.iter check [ 0; 1; 2; 1000 ]))
    [ 1; 2; 8 ];
  print_endline "All tests have passed."
