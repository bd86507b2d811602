let jobs () = -1
let is_short ~jobs:_ () _ _ _ = false
let may_be_deferred ~jobs:_ () _ _ _ = false
