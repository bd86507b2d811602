external for_ever : unit -> unit = "stuck_for_ever"

(* This program again, without room for a core file. *)
let run what = Testing.Child.run "sh" [ "-c"; "ulimit -c 0; exec \"$0\" " ^ what; Sys.executable_name ]

let a_domain_that_holds_its_lock () =
  let ended = run "stuck" in
  Alcotest.(check int) "SIGABRT" 134 ended.code;
  Alcotest.(check bool) ended.err true (Testing.Text.contains "no OCaml code runs" ended.err)

let the_last_call_counts () = Alcotest.(check int) "ended by itself" 0 (run "longer").code

let subject = function
  | "stuck" ->
      Testing.Last_resort.end_after 0.;
      for_ever ()
  | _ ->
      Testing.Last_resort.end_after 0.5;
      Testing.Last_resort.end_after infinity;
      Unix.sleepf 2.

let () =
  match Sys.argv with
  | [| _; ("stuck" | "longer") as what |] -> subject what
  | _ ->
      let case = Testing.Watchdog.case in
      Alcotest.run "stuck"
        [
          ( "the last resort",
            [
              case "a domain that holds its lock" a_domain_that_holds_its_lock;
              case "the last call counts" the_last_call_counts;
            ] );
        ]
