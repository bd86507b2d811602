external around : (exn -> unit) -> bool = "weft_handlers_around" [@@noalloc]

let[@inline] handlers_around () = around Fiber_stack.failed

let within ~why f x =
  let effc (type a) (e : a Effect.t) : ((a, _) Effect.Deep.continuation -> _) option =
    match e with
    | Fiber_stack.Suspend _ -> None
    | e -> Some (fun k -> Effect.Deep.discontinue k (Refusal.unhandled e ~why))
  in
  Effect.Deep.try_with f x { effc }
