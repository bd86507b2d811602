open Support
module Blocking = Weft_scheduler.Blocking

let with_limit n test =
  let before = Blocking.limit () in
  (* Helper threads of earlier tests may be more than [n]: they must be gone. *)
  Blocking.set_limit n;
  Fun.protect ~finally:(fun () -> Blocking.set_limit before) @@ fun () ->
  wait_until "fewer helpers" (fun () -> Blocking.helpers () = 0);
  test ()

let none_in_progress () = wait_until "no call in progress" (fun () -> Blocking.in_progress () = 0)

module Gate = struct
  type t = { mutex : Mutex.t; opened : Condition.t; mutable is_open : bool }

  let create () = { mutex = Mutex.create (); opened = Condition.create (); is_open = false }

  let wait g =
    Mutex.protect g.mutex (fun () ->
        while not g.is_open do
          Condition.wait g.opened g.mutex
        done)

  let open_ g =
    Mutex.protect g.mutex (fun () ->
        g.is_open <- true;
        Condition.broadcast g.opened)

  let with_ test =
    let g = create () in
    Fun.protect ~finally:(fun () -> open_ g) (fun () -> test g)
end
