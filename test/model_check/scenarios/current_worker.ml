let is_outside () = true
