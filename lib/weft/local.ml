module Worker_local = Slots

module Task_local = struct
  type 'a t = { key : 'a Bindings.key; default : 'a }

  let create ~default = { key = Bindings.key (); default }

  let get { key; default } =
    let bound = Locals.current () in
    if Bindings.is_empty bound then default else Bindings.find key ~default bound

  let with_value { key; _ } v f = Locals.within (Bindings.add key v (Locals.current ())) f
end
