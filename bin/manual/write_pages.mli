(** [write_pages.exe WEFT weft.1 weft-bench.1 weft-bench-elastic.1 ...] writes the manual page of each
    command: what [WEFT bench elastic --help=groff] prints goes to [weft-bench-elastic.1]. The exit code is 1
    if a command has no help. *)
