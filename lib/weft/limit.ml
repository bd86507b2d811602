type t = Arena.t

let create n =
  if n < 1 then invalid_arg (Printf.sprintf "Weft.Limit.create: a limit must be at least 1, not %d" n);
  Arena.make n

let room = Arena.room
let running = Arena.running
let what = "Weft.Limit.run"

let enter_in_turn l =
  let cell = Cell.create () in
  match Arena.enter_as_heir l (fun () -> Cell.wake cell () || Cell.is_woken_with cell ()) with
  | None -> ()
  | Some place ->
      Cell.await ~what ~leave:(fun () -> Arena.give_up l place) ~lost:(fun () -> Arena.leave [ l ]) cell

(* Inside another limit: to go on, one needs room there again. So room here is not kept meanwhile, but asked for again. *)
let rec enter_from_inside l (c : Fiber.context) =
  let cell = Cell.create () in
  if not (Arena.enter [ l ] ~again:(Cell.wake cell)) then begin
    Context.within
      (Fiber.binding c (Arena.want l c.bindings))
      (fun () -> Cell.await ~what ~leave:ignore ~lost:(fun () -> Arena.pass_on l) cell);
    enter_from_inside l c
  end

let run l f =
  Here.in_pool @@ fun () ->
  Context.pass None;
  let c = Context.current () in
  let inside = Arena.of_bindings c.bindings in
  if List.memq l inside then f ()
  else begin
    if inside = [] then enter_in_turn l else enter_from_inside l c;
    match Context.within (Fiber.binding c (Arena.bind l c.bindings)) f with
    | v ->
        Arena.leave [ l ];
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Arena.leave [ l ];
        Printexc.raise_with_backtrace exn backtrace
  end
