type cell = { mutable first : int }

external cell : 'record -> cell = "%identity"

let[@inline] read r = (cell r).first
let[@inline] write r n = (cell r).first <- n
