type 'a t = 'a Write_once.t

let create = Write_once.create
let try_fill = Write_once.put

let fill i v =
  if not (Write_once.put i v) then
    invalid_arg "Weft.Ivar.fill: the variable is full already; try_fill is false instead"

let read ?timeout i = Write_once.wait ?timeout ~what:"Weft.Ivar.read" i
let peek = Write_once.peek

module Private = struct
  external to_write_once : 'a t -> 'a Write_once.t = "%identity"
end
