module Make (Key : sig
  type t
end) =
struct
  type ('v, 'a) op = ('v, 'a) Map_op.Make(Key).t
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  let is_keyed (type v) (Op (op, _) : v packed) =
    match op with
    | Mem _ | Find _ | Add _ | Remove _ | Update _ -> true
    | Succ _ | Pred _ | Min | Max | Length -> false

  let key_of (type v) (Op (op, _) : v packed) =
    match op with
    | Mem k | Find k | Add (k, _) | Remove k | Update (k, _) -> k
    | Succ _ | Pred _ | Min | Max | Length -> assert false

  let rank op = if is_keyed op then 0 else 1

  let decide (type v) (Op (op, cell) : v packed) (before : v option) : v option =
    match op with
    | Mem _ ->
        Cell.resolve cell (Option.is_some before);
        before
    | Find _ ->
        Cell.resolve cell before;
        before
    | Add (_, v) ->
        Cell.resolve cell ();
        Some v
    | Remove _ ->
        Cell.resolve cell (Option.is_some before);
        None
    | Update (_, f) -> (
        match f before with
        | after ->
            Cell.resolve cell before;
            after
        | exception e ->
            Cell.fail cell e (Printexc.get_raw_backtrace ());
            before)
    | Succ _ | Pred _ | Min | Max | Length -> assert false

  module Apply (Map : Weft_containers.Maps.ORDERED_MAP with type key = Key.t) = struct
    let apply (type v a) (t : v Map.t) : (v, a) op -> a = function
      | Mem k -> Map.mem t k
      | Find k -> Map.find_opt t k
      | Add (k, v) ->
          Weft_platform.Stack_room.(ensure call);
          Map.add t k v
      | Remove k ->
          Weft_platform.Stack_room.(ensure call);
          Map.remove t k
      | Update (k, f) ->
          Weft_platform.Stack_room.(ensure call);
          Map.update t k f
      | Succ k -> Map.succ t k
      | Pred k -> Map.pred t k
      | Min -> Map.min_binding_opt t
      | Max -> Map.max_binding_opt t
      | Length -> Map.length t

    let apply_packed t (Op (op, cell)) =
      match apply t op with
      | v -> Cell.resolve cell v
      | exception e -> Cell.fail cell e (Printexc.get_raw_backtrace ())
  end
end
