external enter : unit -> unit = "weft_enter_finalisers" [@@noalloc]
external leave : unit -> unit = "weft_leave_finalisers" [@@noalloc]
external own_domain_starts : bool -> unit = "weft_own_domain_starts" [@@noalloc]
external report : (exn -> unit) -> unit = "weft_report_from_finalisers"

(* No call between [enter] and the handler could find the stack full. *)
let within f =
  enter ();
  match f () with
  | v ->
      leave ();
      v
  | exception exn ->
      leave ();
      raise exn
