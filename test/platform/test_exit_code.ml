open Weft_platform

(* The child: its exit code is 7, however it ends. All that it does at its end is done, and an exception printed. *)
let child how =
  at_exit (fun () -> print_endline "registered first");
  at_exit (fun () -> Exit_code.change 7);
  at_exit (fun () -> print_endline "registered last");
  match how with "exit" -> exit 1 | "raise" -> failwith "uncaught" | _ -> ()

let ends how =
  let e = Testing.Child.run ~env:[ ("WEFT_TEST_EXIT", how) ] Sys.executable_name [] in
  Alcotest.(check int) (how ^ ": code") 7 e.code;
  Alcotest.(check string) (how ^ ": output") "registered last\nregistered first\n" e.out;
  Alcotest.(check bool) (how ^ ": exception") (how = "raise") (Testing.Text.contains "uncaught" e.err)

let () =
  match Sys.getenv_opt "WEFT_TEST_EXIT" with
  | Some how -> child how
  | None ->
      let case name f = Testing.Watchdog.case name f in
      Alcotest.run "exit code"
        [
          ("change", [ case "however the process ends" (fun () -> List.iter ends [ "exit"; "raise"; "end" ]) ]);
        ]
