module D = Weft_scheduler.Deadlock

type fiber = D.fiber = { waits_for : string; stack : Printexc.raw_backtrace }
type report = D.report = { pool : string; fibers : fiber list }

exception Deadlock = D.Deadlock

type detection = D.detection = Automatic | Always | Never

let set_detection = D.set_detection
let expect = D.expect
