let is = function Sys.Break | Out_of_memory | Stack_overflow -> true | _ -> false
