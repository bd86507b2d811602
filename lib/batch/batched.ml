open Weft_support

exception Reentrant = Service.Reentrant

let unanswered = Failure "Weft_batch: run has left an operation without a result"

module Make_generic (S : Structures.GENERIC) = struct
  type 'v t = {
    structure : 'v S.t;
    service : 'v S.packed Service.t;
    limit : int;
    cutoff : Cutoff.t;
    number : int;
  }

  (* --- applying --- *)

  let apply_one structure (S.Op (op, cell)) =
    match S.apply structure op with
    | v -> Cell.resolve cell v
    | exception exn -> Cell.fail cell exn (Printexc.get_raw_backtrace ())

  let fail_unresolved ops exn backtrace =
    Array.iter (fun (S.Op (_, cell)) -> if Cell.is_empty cell then Cell.fail cell exn backtrace) ops

  let run_batch run structure ops =
    match run structure ops with
    | () -> fail_unresolved ops unanswered (Printexc.get_callstack 0)
    | exception exn -> fail_unresolved ops exn (Printexc.get_raw_backtrace ())

  (* By the owner. Whatever ends it, every operation has its result. *)
  let apply_all ?(whole = false) t ops =
    let n = Array.length ops in
    let began = if Span.is_observed () then Alarm.now () else 0 in
    let started = Ticks.now () in
    let parallel =
      match S.run with
      | Some run when whole || Cutoff.choose t.cutoff n ->
          Service.within t.service ~size:n (fun () -> run_batch run t.structure ops);
          true
      | _ ->
          Service.begin_in_place t.service;
          (try Array.iter (apply_one t.structure) ops
           with exn -> fail_unresolved ops exn (Printexc.get_raw_backtrace ()));
          Service.end_in_place t.service;
          false
    in
    let ticks = Ticks.now () - started in
    Cutoff.record t.cutoff n ~batch:parallel ticks;
    Tally.batch t.service.tally ~size:n ~parallel ~ticks;
    if began > 0 then Span.tell { structure = t.number; size = n; parallel; began; ended = Alarm.now () }

  let create ?(limit = max_int) ?(cutoff = `Adaptive) structure =
    if limit < 1 then
      invalid_arg (Printf.sprintf "Weft_batch.create: a limit of %d; it must be at least 1" limit);
    (match cutoff with
    | `Fixed n when n < 1 ->
        invalid_arg (Printf.sprintf "Weft_batch.create: a cutoff of %d; it must be at least 1" n)
    | `Fixed _ | `Adaptive -> ());
    let t =
      {
        structure;
        service = Service.make ();
        limit;
        cutoff = Cutoff.make cutoff;
        number = Span.next_structure ();
      }
    in
    t.service.serve <- (fun () -> Rounds.serve t.service ~limit (apply_all t));
    t

  (* --- calling --- *)

  let[@inline] in_place t op =
    let service = t.service in
    Service.begin_in_place service;
    match S.apply t.structure op with
    | v ->
        Service.end_in_place service;
        Tally.in_place service.tally;
        Service.leave service;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Service.end_in_place service;
        Tally.in_place service.tally;
        Service.leave service;
        Printexc.raise_with_backtrace exn backtrace

  let result cell =
    match Cell.result cell with
    | Some (Ok v) -> v
    | Some (Error (exn, backtrace)) -> Printexc.raise_with_backtrace exn backtrace
    | None -> raise unanswered

  let[@inline never] exec_slow t op =
    Service.check t.service "Weft_batch.exec";
    let cell = Cell.make () in
    let call = S.Op (op, cell) in
    let word caller = Gate.Call { call; caller; next = Busy; depth = 0 } in
    match Lining_up.line_up t.service word ~what:"Weft_batch.exec" with
    | Served -> result cell
    | Entered -> in_place t op
    | Leads ->
        t.service.serve ();
        result cell

  let exec t op = if Gate.enter t.service.gate then in_place t op else exec_slow t op

  let owning t ~what f =
    Lining_up.enter t.service ~what;
    match f () with
    | v ->
        Service.pass_on t.service;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Service.pass_on t.service;
        Printexc.raise_with_backtrace exn backtrace

  let exec_many t ops =
    let n = Array.length ops in
    let cells = Kind.blank n in
    for i = 0 to n - 1 do
      cells.(i) <- Cell.make ()
    done;
    let rec from i =
      if i < n then begin
        let m = min t.limit (n - i) in
        let calls = Kind.blank m in
        for k = 0 to m - 1 do
          calls.(k) <- S.Op (ops.(i + k), cells.(i + k))
        done;
        apply_all ~whole:true t calls;
        from (i + m)
      end
    in
    if n > 0 then owning t ~what:"Weft_batch.exec_many" (fun () -> from 0);
    Array.map result cells

  let exclusive t f =
    owning t ~what:"Weft_batch.exclusive" (fun () ->
        Service.within t.service ~size:0 (fun () -> f t.structure))

  let quiesce t = owning t ~what:"Weft_batch.quiesce" ignore
  let unguarded t = t.structure
  let stats t = Tally.stats t.service.tally ~cutoff:(Cutoff.cutoff t.cutoff)
end

module Make (S : Structures.STRUCTURE) = struct
  module Generic_structure = struct
    type 'v t = S.t
    type ('v, 'a) op = 'a S.op
    type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

    let apply = S.apply

    let run =
      match S.run with
      | None -> None
      | Some run ->
          Some (fun structure ops -> run structure (Array.map (fun (Op (op, cell)) -> S.Op (op, cell)) ops))
  end

  module Generic = Make_generic (Generic_structure)

  type t = unit Generic.t

  let create = Generic.create
  let exec = Generic.exec
  let exec_many = Generic.exec_many
  let exclusive = Generic.exclusive
  let quiesce = Generic.quiesce
  let unguarded = Generic.unguarded
  let stats = Generic.stats
end
