(* Alcotest ends the program with [exit], and runs each case in the main thread, outside of all pools. *)
let case name f =
  Alcotest.test_case name `Quick (fun () ->
      List.iter (fun domains -> Weft.run ~domains (fun () -> f ())) [ 1; 2; 8 ])

let sums () = Alcotest.(check int) "sum" 499_500 (Weft.Array.reduce ( + ) 0 (Weft.Array.init 1000 Fun.id))

(* [check] raises: in a task, the exception comes out where the task is awaited, here at the end of the scope. *)
let in_tasks () =
  Weft.Scope.run (fun scope ->
      for n = 1 to 10 do
        Weft.Scope.start scope (fun () ->
            Alcotest.(check int) "square" (n * n) (Weft.List.fold_left ( + ) 0 (List.init n (fun _ -> n))))
      done)

let () =
  Weft.exit_on_uncaught 1;
  Alcotest.run "with weft" [ ("sums", [ case "sums" sums; case "in tasks" in_tasks ]) ]
