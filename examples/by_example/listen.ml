(* From here on, [weft attach] may look at this program; what it writes is in a file, here in one of its own. *)

let () =
  Weft.Trace.start ();
  Printf.printf "%b\n" (Weft.Trace.enabled ());
  (* What happened last, for [weft report]: here in a folder that is removed afterwards. *)
  let folder = Filename.temp_dir "listen" "" in
  let file = Filename.concat folder "slow.events" in
  Weft.Trace.region "request" (fun () -> Weft.Trace.dump_last file);
  Printf.printf "%b\n" (Sys.file_exists file);
  Sys.remove file;
  Sys.rmdir folder
