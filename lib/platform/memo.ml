let once f =
  let lock = Mutex.create () and kept = Atomic.make None in
  let compute () =
    match Atomic.get kept with
    | Some v -> v
    | None ->
        let v = f () in
        Atomic.set kept (Some v);
        v
  in
  fun () -> match Atomic.get kept with Some v -> v | None -> Mutex.protect lock compute
