module Limit = Weft_scheduler.Limit

type t = Limit.t

let create n =
  if n < 1 then invalid_arg (Printf.sprintf "Weft.Limit.create: a limit must be at least 1, not %d" n);
  Limit.make n

let room = Limit.room
let running = Limit.running
let what = "Weft.Limit.run"

let enter_in_turn l =
  let waiter = Waiter.create () in
  match Limit.enter_as_heir l (Waiter.wake waiter) with
  | None -> ()
  | Some entry ->
      Waiter.await ~what ~leave:(fun () -> Limit.give_up l entry) ~lost:(fun () -> Limit.leave [ l ]) waiter

(* Inside another limit, a fiber that goes on needs room there again. So it does not keep room in [l] while it
   waits for that, but asks for it again. *)
let rec enter_from_inside l (c : Fiber.context) =
  let waiter = Waiter.create () in
  if not (Limit.enter [ l ] ~again:(Waiter.wake waiter)) then begin
    Context.within
      (Fiber.binding c (Limit.want l c.bindings))
      (fun () -> Waiter.await ~what ~leave:ignore ~lost:(fun () -> Limit.pass_on l) waiter);
    enter_from_inside l c
  end

let run l f =
  Current_worker.in_pool @@ fun () ->
  Poll.checkpoint ();
  let c = Context.current () in
  let inside = Limit.of_bindings c.bindings in
  if List.memq l inside then f ()
  else begin
    if inside = [] then enter_in_turn l else enter_from_inside l c;
    match Context.within (Fiber.binding c (Limit.bind l c.bindings)) f with
    | v ->
        Limit.leave [ l ];
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Limit.leave [ l ];
        Printexc.raise_with_backtrace exn backtrace
  end
