type t = Arena.t

let create n =
  if n < 1 then invalid_arg (Printf.sprintf "Weft.Limit.create: a limit must be at least 1, not %d" n);
  Arena.make n

let room = Arena.room
let running = Arena.running

(* Who was called again and does not come, because it was cancelled, calls the next. *)
let rec enter l =
  let cell = Cell.create () in
  if not (Arena.enter [ l ] ~again:(fun () -> if not (Cell.wake cell ()) then pass_on l)) then begin
    Cell.await ~what:"Weft.Limit.run" ~leave:ignore ~lost:(fun () -> pass_on l) cell;
    enter l
  end

and pass_on l =
  Arena.force [ l ];
  Arena.leave [ l ]

let run l f =
  Here.in_pool @@ fun () ->
  let c = Context.current () in
  if List.memq l (Arena.of_bindings c.bindings) then f ()
  else begin
    enter l;
    match Context.within (Fiber.binding c (Arena.bind l c.bindings)) f with
    | v ->
        Arena.leave [ l ];
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Arena.leave [ l ];
        Printexc.raise_with_backtrace exn backtrace
  end
