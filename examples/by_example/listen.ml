(* From here on, [weft attach] may look at this program; what it writes is in a file, here in one of its own. *)

let () =
  Weft.Trace.start ();
  Printf.printf "%b\n" (Weft.Trace.enabled ());
  (* What happened last, as when something was slow: for [weft report]. *)
  let file = Filename.temp_file "slow" ".events" in
  Weft.Trace.dump_last file;
  Printf.printf "%b\n" ((Unix.stat file).st_size > 0);
  Sys.remove file
