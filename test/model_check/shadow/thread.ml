type t = int

let self = Process.current
let id t = t
let yield () = ()
