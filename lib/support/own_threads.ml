let noted = Atomic.make 0
let note () = Atomic.incr noted
let take_back () = Atomic.decr noted
let count () = Atomic.get noted
