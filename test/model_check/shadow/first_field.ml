(* [Obj] as in the real module, for the same reason: the field's type does not say that it is a cell. *)
let cell v = Obj.magic (Cell.make "state" v)
let constant v = Obj.magic (Cell.constant "a constant" v)
let status v = if Undisturbed.promised () then constant v else cell v
let of_fiber v = if Undisturbed.promised () then Obj.magic (Cell.make ~steps:false "fiber" v) else cell v
let contents field = Cell.get (Obj.magic field)
let set_contents field v = Cell.set (Obj.magic field) v
let of_record r : _ Cell.t = Obj.obj (Obj.field (Obj.repr r) 0)
let get r = Cell.get (of_record r)
let set r v = Cell.set (of_record r) v
let compare_and_set r was now = Cell.compare_and_set (of_record r) was now
let exchange r v = Cell.exchange (of_record r) v
