let remove folder =
  try
    Array.iter
      (fun name -> try Sys.remove (Filename.concat folder name) with Sys_error _ -> ())
      (Sys.readdir folder);
    Sys.rmdir folder
  with Sys_error _ -> ()

let signals = Sys.[ sigint; sigterm; sighup ]

let removed_by_signals folder f =
  let before = ref [] in
  let give_back () = List.iter (fun (signal, behavior) -> Sys.set_signal signal behavior) !before in
  let ends signal =
    remove folder;
    Whole_file.remove_unfinished ();
    give_back ();
    Unix.kill (Unix.getpid ()) signal
  in
  let handle signal =
    match Sys.signal signal (Signal_handle ends) with
    | Signal_ignore -> Sys.set_signal signal Signal_ignore
    | behavior -> before := (signal, behavior) :: !before
  in
  List.iter handle signals;
  Fun.protect ~finally:give_back f

let within prefix f =
  match Filename.temp_dir prefix "" with
  | exception Sys_error why -> Error ("cannot make a temporary folder: " ^ why)
  | folder ->
      Fun.protect ~finally:(fun () -> remove folder) @@ fun () ->
      removed_by_signals folder (fun () -> f folder)
