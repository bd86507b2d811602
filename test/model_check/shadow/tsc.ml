let now () = 0
let pause _ = ()
