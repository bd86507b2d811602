let rec remove path =
  match (Unix.lstat path).st_kind with
  | S_DIR ->
      Unix.chmod path 0o700;
      Array.iter (fun name -> remove (Filename.concat path name)) (Sys.readdir path);
      Unix.rmdir path
  | _ -> Unix.unlink path

let within ?temp_dir prefix f =
  let folder = Filename.temp_dir ?temp_dir prefix "" in
  Fun.protect ~finally:(fun () -> remove folder) (fun () -> f folder)
