let () = exit (Cmdliner.Cmd.eval' Weft_migrate.Migrate_command.cmd)
