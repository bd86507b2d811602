(** [write_completion.exe bash PAGE.1 ...] prints the completion for bash, or zsh, of the commands whose
    manual pages are given. The exit code is 1 if a page cannot be parsed. *)
