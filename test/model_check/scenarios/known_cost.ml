type t = unit

let none = 0
let of_code = ignore
let may_be_short () _ _ = false
let was_long () _ _ = ()
