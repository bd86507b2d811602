(* Alcotest ends the program with [exit], and runs each case in the main thread, outside of all pools. *)
let case name f =
  Alcotest.test_case name `Quick (fun () ->
      List.iter (fun domains -> Weft.run ~domains (fun () -> f ())) [ 1; 2; 8 ])

let sums () = Alcotest.(check int) "sum" 499_500 (Weft.Array.reduce ( + ) 0 (Weft.Array.init 1000 Fun.id))

(* A check prints, by a formatter that several domains must not use at once. It raises: in a task, the exception
   comes out where the task is awaited, here at the end of the scope. *)
let lock = Weft.Mutex.create ()

let check testable what expected got =
  Weft.Mutex.protect lock (fun () -> Alcotest.check testable what expected got)

let in_tasks () =
  Weft.Scope.run (fun scope ->
      for n = 1 to 10 do
        Weft.Scope.start scope (fun () ->
            check Alcotest.int "square" (n * n) (Weft.List.fold_left ( + ) 0 (List.init n (fun _ -> n))))
      done)

let () =
  Weft.exit_on_uncaught 1;
  Alcotest.run "with weft" [ ("sums", [ case "sums" sums; case "in tasks" in_tasks ]) ]
