(* For versions of OCaml that are not known yet: see switch.primitives.ml. *)

open Effect.Deep

type _ Effect.t += Suspend : (('a, unit) continuation -> unit) option -> 'a Effect.t

let start f x ~returned =
  match_with f x
    {
      retc = returned;
      exnc = raise;
      effc =
        (fun (type c) (e : c Effect.t) ->
          match e with Suspend f -> (f : ((c, unit) continuation -> unit) option) | _ -> None);
    }
