type 'a t = 'a Saturn.Queue.t

let create () = Saturn.Queue.create ()
let push = Saturn.Queue.push
let pop q ~nil = try Saturn.Queue.pop_exn q with Saturn.Queue.Empty -> nil
let is_empty = Saturn.Queue.is_empty
