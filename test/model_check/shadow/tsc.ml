let now () = 0
