exception Reentrant of string

module Make_generic (S : Structures.GENERIC) = struct
  type 'v t = { structure : 'v S.t; mutex : Weft.Mutex.t; cutoff : int }

  let create ?limit:_ ?(cutoff = `Adaptive) structure =
    { structure; mutex = Weft.Mutex.create (); cutoff = (match cutoff with `Fixed n -> n | `Adaptive -> 2) }

  let exec t op = Weft.Mutex.protect t.mutex (fun () -> S.apply t.structure op)

  let exec_many t ops =
    Weft.Mutex.protect t.mutex (fun () ->
        match S.run with
        | Some run when Array.length ops >= t.cutoff ->
            let cells = Array.map (fun _ -> Cell.make ()) ops in
            run t.structure (Array.map2 (fun op c -> S.Op (op, c)) ops cells);
            Array.map
              (fun c ->
                match Cell.result c with
                | Some (Ok v) -> v
                | Some (Error (e, bt)) -> Printexc.raise_with_backtrace e bt
                | None -> invalid_arg "an operation without a result")
              cells
        | _ -> Array.map (S.apply t.structure) ops)

  let exclusive t f = Weft.Mutex.protect t.mutex (fun () -> f t.structure)
  let quiesce t = exclusive t ignore
  let unguarded t = t.structure
end
