(** [write_completion.exe bash PAGE.1 ...] prints the completion for bash, or zsh, of the commands whose
    manual pages are given. Exit code 1 if one cannot be understood. *)
