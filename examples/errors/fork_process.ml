let () =
  Weft.run ~domains:2 ignore;
  match Unix.fork () with 0 -> exit 0 | pid -> ignore (Unix.waitpid [] pid)
