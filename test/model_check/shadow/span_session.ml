type t = unit

let none = ()
let profiling = ref false
let is_profiled _ = false
