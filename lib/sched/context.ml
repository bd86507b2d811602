exception Cancelled of string
exception Timeout

type owner = int

let owner () = Thread.id (Thread.self ())
