type 'a t = 'a Deposit.t

let create = Deposit.create
let try_fill = Deposit.put
let fill i v = if not (Deposit.put i v) then invalid_arg "Weft.Ivar.fill: the variable is full"
let read ?timeout i = Deposit.wait ?timeout ~what:"Weft.Ivar.read" i
let peek = Deposit.peek
