let is_outside () = true
let deque = ignore
let poll = ignore
