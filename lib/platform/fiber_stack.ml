open Effect.Deep

type _ Effect.t += Suspend : (('a, unit) continuation -> unit) option -> 'a Effect.t
type 'a others = { perform : 'c. 'a -> 'c Effect.t -> ('c, unit) continuation -> unit }

let failed : exn -> unit = raise

let start f x ~returned ~others =
  let effc (type c) (e : c Effect.t) =
    match e with
    | Suspend (Some _ as wait) -> (wait : ((c, unit) continuation -> unit) option)
    | _ -> Some (fun k -> others.perform x e k)
  in
  match_with f x { retc = returned; exnc = failed; effc }
