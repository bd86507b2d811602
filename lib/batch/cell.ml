type 'a state = Empty | Resolved of 'a | Failed of exn * Printexc.raw_backtrace
type 'a t = { mutable state : 'a state }

let make () = { state = Empty }
let resolve c v = c.state <- Resolved v
let fail c e bt = c.state <- Failed (User_functions.explained e, bt)
let clear c = c.state <- Empty
let is_empty c = match c.state with Empty -> true | Resolved _ | Failed _ -> false

let result c =
  match c.state with Empty -> None | Resolved v -> Some (Ok v) | Failed (e, bt) -> Some (Error (e, bt))
