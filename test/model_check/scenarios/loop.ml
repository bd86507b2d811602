(* This is not the shadowed module, which ends the fibers that a run leaves: the judgement continues this
   one. *)
module Effect = Stdlib.Effect

type blocks = { body : int -> int -> unit; exit : Early_exit.t }
type _ Effect.t += Blocks : blocks -> unit Effect.t

let blocks ?chunk_size:_ ?exit ~who:_ ~start:_ ~finish:_ body =
  let exit = match exit with Some c -> c | None -> Early_exit.start All in
  Effect.perform (Blocks { body; exit });
  Early_exit.check exit

let hold f =
  let held : (blocks * (unit, unit) Effect.Deep.continuation) option ref = ref None and result = ref None in
  let effc : type b. b Effect.t -> ((b, unit) Effect.Deep.continuation -> unit) option = function
    | Blocks blocks -> Some (fun k -> held := Some (blocks, k))
    | _ -> None
  in
  Effect.Deep.match_with f ()
    { retc = (fun v -> result := Some (Ok v)); exnc = (fun exn -> result := Some (Error exn)); effc };
  let blocks, k = Option.get !held in
  let rest () =
    Effect.Deep.continue k ();
    match Option.get !result with Ok v -> v | Error exn -> raise exn
  in
  (blocks, rest)

let run b i =
  if Early_exit.may_run b.exit i then
    match b.body i i with
    | () -> ()
    | exception Process.Stopped -> raise Process.Stopped
    | exception Uncaught.Stopped -> ()
    | exception exn -> Early_exit.fail b.exit i exn (Printexc.get_raw_backtrace ())
