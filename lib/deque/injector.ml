type 'a t = 'a Saturn.Queue.t

let create () = Saturn.Queue.create ()
let push = Saturn.Queue.push
let pop = Saturn.Queue.pop_opt
let is_empty = Saturn.Queue.is_empty
