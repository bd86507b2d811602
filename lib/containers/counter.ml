type t = { mutable value : int }

let create ?(value = 0) () = { value }
let get t = t.value
let set t n = t.value <- n
let add t n = t.value <- t.value + n

let fetch_add t n =
  let old = t.value in
  t.value <- old + n;
  old

let incr t = add t 1
let decr t = add t (-1)
