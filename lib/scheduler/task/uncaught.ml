module Ids = Map.Make (Int)

type id = int
type origin = Task_of of string | Other of string
type noted = { origin : origin; exn : exn; backtrace : Printexc.raw_backtrace }

let next_id = Atomic.make 0
let noted : noted Ids.t Atomic.t = Atomic.make Ids.empty

let rec update f =
  let was = Atomic.get noted in
  if not (Atomic.compare_and_set noted was (f was)) then update f

let add origin exn backtrace =
  let id = Atomic.fetch_and_add next_id 1 in
  update (Ids.add id { origin; exn; backtrace });
  id

let forget id = update (Ids.remove id)

(* --- the exit code --- *)

let exit_code = Atomic.make 0
let is_any_printed = Atomic.make false

let exit_on_uncaught code =
  if code < 0 || code > 255 then
    invalid_arg (Printf.sprintf "Weft.exit_on_uncaught: no process ends with the code %d" code);
  Atomic.set exit_code code

let code_at_exit () = if Atomic.get is_any_printed then Atomic.get exit_code else 0

(* --- handlers --- *)

let print_as what exn backtrace =
  Atomic.set is_any_printed true;
  Printf.eprintf "weft: %s: %s\n%s%!" what (Printexc.to_string exn)
    (Printexc.raw_backtrace_to_string backtrace)

let print exn backtrace =
  print_as "uncaught exception in a task that nobody awaits (await it, or start it in a Weft.Scope)" exn
    backtrace

let handler = Atomic.make print
let suppressed_handler = Atomic.make (fun (_ : exn) (_ : Printexc.raw_backtrace) -> ())
let set_handler = Atomic.set handler
let current_handler () = Atomic.get handler
let set_suppressed_handler = Atomic.set suppressed_handler

(* Called on any stack, whose handlers are not those of [f]. *)
let guard what f =
  let why = "no handler inside " ^ what ^ " handles it" in
  try Refused_effects.within ~why f ()
  with exn -> (
    let backtrace = Printexc.get_backtrace () in
    try Printf.eprintf "weft: %s raised %s\n%s%!" what (Printexc.to_string exn) backtrace with _ -> ())

(* Only Weft's own handler is told where an exception comes from. *)
let hand_over n =
  let handler = Atomic.get handler in
  match n.origin with
  | Other what when handler == print -> print_as what n.exn n.backtrace
  | Other _ | Task_of _ -> handler n.exn n.backtrace

let rec report id =
  let was = Atomic.get noted in
  match Ids.find_opt id was with
  | None -> ()
  | Some n ->
      (* The thread that takes it off reports it. *)
      if Atomic.compare_and_set noted was (Ids.remove id was) then
        guard "the handler of uncaught exceptions" (fun () -> hand_over n)
      else report id

let report_pool pool = Ids.iter (fun id n -> if n.origin = Task_of pool then report id) (Atomic.get noted)
let report_all () = Ids.iter (fun id _ -> report id) (Atomic.get noted)

exception Stopped

let suppressed exn backtrace =
  match exn with
  | Stopped | Fiber.Cancelled _ -> ()
  | _ ->
      guard "the handler of suppressed exceptions" (fun () -> (Atomic.get suppressed_handler) exn backtrace)
