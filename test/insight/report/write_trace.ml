(* write_trace large N | NAME: writes a made-up trace to standard output, to look at and to measure with. *)
let () =
  let open Made_traces.Made in
  match List.tl (Array.to_list Sys.argv) with
  | [ "large"; n ] -> Made_traces.Many_events.write (int_of_string n) stdout
  | [ name ] ->
      let programs =
        [
          ("balanced", balanced);
          ("forced_chunk", forced_chunk);
          ("long_iteration", long_iteration);
          ("locked", locked);
          ("collecting", collecting);
          ("sequential", sequential);
          ("outside", outside);
          ("blocked", blocked);
          ("starved", starved);
          ("crowded", crowded);
        ]
      in
      print_string (List.assoc name programs)
  | _ ->
      prerr_endline "usage: write_trace large N | write_trace NAME";
      exit 2
