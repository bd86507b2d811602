let wait_readable = Transfer.wait_readable
let wait_writable = Transfer.wait_writable
let read = Transfer.read
let read_all = Transfer.read_all
let single_write = Transfer.single_write
let write = Transfer.write
let write_string = Transfer.write_string
let close = Readiness.close
let socket = Transfer.socket
let socketpair = Transfer.socketpair
let pipe = Transfer.pipe
let accept = Transfer.accept
let connect = Transfer.connect

type completed = Process.completed = { status : Unix.process_status; stdout : string; stderr : string }

exception Timed_out = Process.Timed_out

let run = Process.run
let waitpid = Process.waitpid
let stop = Process.stop
