module Worker_local = Worker_locals

module Task_local = struct
  (* Each binding has a cell of its own. *)
  type 'a t = { key : 'a ref Bindings.key; default : 'a ref; is_own : bool }

  let make ~is_own default = { key = Bindings.key ~inherited:(not is_own) (); default = ref default; is_own }
  let create ~default = make ~is_own:false default
  let create_own ~default = make ~is_own:true default

  let[@inline] cell { key; default; _ } =
    let bound = Locals.current () in
    if Bindings.is_empty bound then default else Bindings.find key ~default bound

  let get k = !(cell k)
  let with_value { key; _ } v f = Locals.within (Bindings.add key (ref v) (Locals.current ())) f

  let set k v =
    let who = "Weft.Local.Task_local.set" in
    if not k.is_own then invalid_arg (who ^ ": tasks inherit the values of this key");
    let cell = cell k in
    if cell == k.default then invalid_arg (who ^ ": no value is bound to the key in this task");
    cell := v
end
