type t = unit
type mark = unit

let none = ()
let profiling = ref false
let is_profiled _ = false
let fork () = ((), ())
let right () g = g
let join () () = ()
let task _ f = f
let settled ~created:_ () = invalid_arg "Strand: nothing is profiled"
let is_created _ = false
let meet _ = ()
let pause () = ()
let continue () = ()
let aside f = f ()
