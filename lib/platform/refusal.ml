(* An exception with one argument is a block of two fields, the constructor and the argument; patterns
   compare the first and read the second. [Obj], since the type has no place for a third. Checked by
   test/platform. *)

let fields = 3

let unhandled e ~why =
  let plain = Obj.repr (Effect.Unhandled e) in
  let exn = Obj.new_block (Obj.tag plain) fields in
  Obj.set_field exn 0 (Obj.field plain 0);
  Obj.set_field exn 1 (Obj.field plain 1);
  Obj.set_field exn 2 (Obj.repr why);
  (Obj.obj exn : exn)

let why exn =
  match exn with
  | Effect.Unhandled _ when Obj.size (Obj.repr exn) = fields ->
      Some (Obj.obj (Obj.field (Obj.repr exn) 2) : string)
  | _ -> None

let explained ~why:reason exn =
  match exn with Effect.Unhandled e when Option.is_none (why exn) -> unhandled e ~why:reason | exn -> exn

let () =
  Printexc.register_printer (function
    | Effect.Unhandled e as exn ->
        Option.map (fun why -> Printexc.to_string (Effect.Unhandled e) ^ ": " ^ why) (why exn)
    | _ -> None)
