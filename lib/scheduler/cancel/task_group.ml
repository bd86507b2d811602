type t = { context : Fiber.context; lock : Lock.t; members : Fiber.t Wait_queue.t }

let make () =
  { context = Fiber.inside (Context.current ()); lock = Lock.create (); members = Wait_queue.create () }

let body g f = Context.within_stoppable g.context f

let enter ?task g f =
  let c = Fiber.bridge g.context ~parent:(Context.current ()) in
  let node = Wait_queue.node c.fiber in
  let leave () = Lock.protect g.lock (fun () -> Wait_queue.remove node) in
  Lock.protect g.lock (fun () -> Wait_queue.add g.members node);
  Fun.protect ~finally:leave (fun () ->
      Option.iter (fun task -> Cancellable.attach task c) task;
      Context.within_stoppable c (fun () ->
          Poll.check ();
          f ()))

let notify_cancel g =
  let members = Lock.protect g.lock (fun () -> Wait_queue.to_list g.members) in
  List.iter Fiber.notify_cancel members

let stop g exn =
  Fiber.stop g.context exn;
  notify_cancel g

let is_stopped_with g exn = Fiber.is_stopped_with g.context exn
