let remove folder =
  try
    Array.iter
      (fun name -> try Sys.remove (Filename.concat folder name) with Sys_error _ -> ())
      (Sys.readdir folder);
    Sys.rmdir folder
  with Sys_error _ -> ()
