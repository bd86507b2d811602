(* A thread that cannot be a task, since it waits inside a C library or owns a device, and fibers that compute: they meet at a
   channel. Where a fiber would be suspended, the thread blocks. It has a domain of its own. *)
let () =
  let measured = Weft.Chan.bounded 16 and sum = Atomic.make 0 in
  let device () =
    for i = 1 to 100 do
      Weft.Chan.send measured i
    done;
    Weft.Chan.close measured
  in
  let thread = Domain.spawn device in
  Weft.Scope.run (fun scope ->
      for _ = 1 to 3 do
        Weft.Scope.start scope (fun () ->
            Weft.Chan.iter (fun n -> ignore (Atomic.fetch_and_add sum (n * n) : int)) measured)
      done);
  Domain.join thread;
  Printf.printf "%d\n" (Atomic.get sum)
