module Ids = Map.Make (Int)

type id = int
type noted = { pool : string; exn : exn; backtrace : Printexc.raw_backtrace }

let next_id = Atomic.make 0
let noted : noted Ids.t Atomic.t = Atomic.make Ids.empty

let rec update f =
  let was = Atomic.get noted in
  if not (Atomic.compare_and_set noted was (f was)) then update f

let add ~pool exn backtrace =
  let id = Atomic.fetch_and_add next_id 1 in
  update (Ids.add id { pool; exn; backtrace });
  id

let forget id = update (Ids.remove id)

let print exn backtrace =
  Printf.eprintf "weft: uncaught exception in a task that nobody awaits: %s\n%s%!" (Printexc.to_string exn)
    (Printexc.raw_backtrace_to_string backtrace)

let handler = Atomic.make print
let suppressed_handler = Atomic.make (fun (_ : exn) (_ : Printexc.raw_backtrace) -> ())
let set_handler = Atomic.set handler
let set_suppressed_handler = Atomic.set suppressed_handler

let guard what f =
  try f ()
  with exn -> (
    let backtrace = Printexc.get_backtrace () in
    try Printf.eprintf "weft: %s raised %s\n%s%!" what (Printexc.to_string exn) backtrace with _ -> ())

let rec report id =
  let was = Atomic.get noted in
  match Ids.find_opt id was with
  | None -> ()
  | Some n ->
      (* The thread that takes it off reports it. *)
      if Atomic.compare_and_set noted was (Ids.remove id was) then
        guard "the handler of uncaught exceptions" (fun () -> (Atomic.get handler) n.exn n.backtrace)
      else report id

let report_pool pool = Ids.iter (fun id n -> if n.pool = pool then report id) (Atomic.get noted)
let report_all () = Ids.iter (fun id _ -> report id) (Atomic.get noted)

exception Stopped

let suppressed exn backtrace =
  match exn with
  | Stopped | Fiber.Cancelled _ -> ()
  | _ ->
      guard "the handler of suppressed exceptions" (fun () -> (Atomic.get suppressed_handler) exn backtrace)
