(* The command alone: the program weft takes longer to build. *)
let () = exit (Cmdliner.Cmd.eval' Weft_insight_explore.Explore_command.cmd)
