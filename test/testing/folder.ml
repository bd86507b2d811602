let rec remove path =
  match (Unix.lstat path).st_kind with
  | S_DIR ->
      Unix.chmod path 0o700;
      Array.iter (fun name -> remove (Filename.concat path name)) (Sys.readdir path);
      Unix.rmdir path
  | _ -> Unix.unlink path

let in_memory =
  let memory = "/dev/shm" in
  match Unix.access memory [ W_OK; X_OK ] with
  | () -> memory
  | exception Unix.Unix_error _ -> Filename.get_temp_dir_name ()

let within ?temp_dir prefix f =
  let folder = Filename.temp_dir ?temp_dir prefix "" in
  Fun.protect ~finally:(fun () -> remove folder) (fun () -> f folder)
