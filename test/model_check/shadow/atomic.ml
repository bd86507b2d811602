type 'a t = 'a Cell.t

let make v = Cell.make "atomic" v
let constant v = Cell.constant "a constant" v
let unobserved v = Cell.make ~steps:false "unobserved" v
let get = Cell.get
let set = Cell.set
let exchange = Cell.exchange
let compare_and_set = Cell.compare_and_set
let fetch_and_add = Cell.fetch_and_add
let incr a = ignore (fetch_and_add a 1)
