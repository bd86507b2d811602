exception Poisoned of exn

let () =
  Printexc.register_printer (function
    | Poisoned exn -> Some (Printf.sprintf "Weft.Poisoning_mutex.Poisoned(%s)" (Printexc.to_string exn))
    | _ -> None)

type t = {
  mutex : Fiber_mutex.t;
  mutable failure : (exn * Printexc.raw_backtrace) option; (* changed by the holder *)
}

let around mutex = { mutex; failure = None }
let create () = around (Fiber_mutex.create ())
let create_fair () = around (Fiber_mutex.create_fair ())
let failure m = m.failure
let mutex m = m.mutex

(* [f] has raised. If it has unlocked the mutex itself, the data are another's. *)
let poison m exn backtrace =
  if Fiber_mutex.Private.is_mine m.mutex then begin
    if Option.is_none m.failure then m.failure <- Some (exn, backtrace);
    Fiber_mutex.unlock m.mutex
  end

let hold m what f =
  match f () with
  | v ->
      Fiber_mutex.Private.unlock_as m.mutex what;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      poison m exn backtrace;
      Printexc.raise_with_backtrace exn backtrace

let protect_as ?timeout m f what =
  Fiber_mutex.Private.lock_as ?timeout m.mutex what;
  match m.failure with
  | None -> hold m what f
  | Some (exn, _) ->
      Fiber_mutex.Private.unlock_as m.mutex what;
      raise (Poisoned exn)

let protect m f = protect_as m f "Weft.Poisoning_mutex.protect"
let protect_timeout seconds m f = protect_as ~timeout:seconds m f "Weft.Poisoning_mutex.protect_timeout"

let repair_as ?timeout m f what =
  Fiber_mutex.Private.lock_as ?timeout m.mutex what;
  hold m what (fun () ->
      let v = f (Option.map fst m.failure) in
      (* If [f] has unlocked it, the failure may be another's. *)
      if Fiber_mutex.Private.is_mine m.mutex then m.failure <- None;
      v)

let repair m f = repair_as m f "Weft.Poisoning_mutex.repair"
let repair_timeout seconds m f = repair_as ~timeout:seconds m f "Weft.Poisoning_mutex.repair_timeout"

let wait_as ?timeout m c what =
  Fiber_condition.Private.wait_as ?timeout ~what c m.mutex;
  Option.iter (fun (exn, _) -> raise (Poisoned exn)) m.failure

let wait m c = wait_as m c "Weft.Poisoning_mutex.wait"
let wait_timeout seconds m c = wait_as ~timeout:seconds m c "Weft.Poisoning_mutex.wait_timeout"
