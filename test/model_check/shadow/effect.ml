include Stdlib.Effect

module Deep = struct
  include Stdlib.Effect.Deep

  (* Resuming a continuation twice raises: that tells which ones the run has resumed. *)
  let end_at_restart k =
    Process.on_restart (fun () -> match discontinue k Process.Stopped with _ -> () | exception _ -> ())

  (* The steps of the processes are effects, too, whose constructors dscheck does not export. *)
  let is_step e = String.starts_with ~prefix:"Dscheck" Obj.Extension_constructor.(name (of_val e))

  let match_with f x (h : _ handler) =
    let effc : type c. c t -> ((c, _) continuation -> _) option =
     fun e ->
      if is_step e then None
      else
        match h.effc e with
        | None -> None
        | Some f ->
            Some
              (fun k ->
                end_at_restart k;
                f k)
    in
    Stdlib.Effect.Deep.match_with f x { h with effc }
end
