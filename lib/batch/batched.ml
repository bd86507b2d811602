open Weft_support
module Job = Weft_sched.Job
module Locals = Weft_sched.Locals

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

  let is_unresolved (S.Op (_, cell)) = Cell.is_empty cell

  let fail_unresolved ops exn backtrace =
    Array.iter (fun (S.Op (_, cell) as op) -> if is_unresolved op then Cell.fail cell exn backtrace) ops

  let run_batch run structure ops =
    run structure ops;
    if Array.exists is_unresolved ops then fail_unresolved ops unanswered (Printexc.get_callstack 0)

  let apply_each structure ops = Array.iter (apply_one structure) ops

  let apply_noted ~whole t ops =
    let n = Array.length ops in
    let run = if whole || Cutoff.choose t.cutoff n then S.run else None in
    let parallel = Option.is_some run in
    let began = if Span.is_observed () then Alarm.now () else 0 in
    let started = Ticks.now () in
    let note () =
      let ticks = Ticks.now () - started in
      Cutoff.record t.cutoff n ~batch:parallel ticks;
      Tally.batch t.service.tally ~size:n ~parallel ~ticks;
      if began > 0 then Span.tell { structure = t.number; size = n; parallel; began; ended = Alarm.now () }
    in
    match
      match run with
      | Some run -> Service.as_batch t.service (fun () -> run_batch run t.structure ops)
      | None -> Service.in_place t.service apply_each t.structure ops
    with
    | () -> note ()
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        note ();
        Printexc.raise_with_backtrace exn backtrace

  (* What has ended a batch is that of the operations without results: whether there are any. Nothing is allocated outside of the
     matches, and the calls of itself are no tail calls: see Interrupt. *)
  let rec fail_whatever_comes ops exn backtrace ~told tries =
    match Array.exists is_unresolved ops with
    | false -> told
    | true -> (
        match fail_unresolved ops exn backtrace with
        | () -> true
        | exception _ when tries > 0 ->
            Sys.opaque_identity (fail_whatever_comes ops exn backtrace ~told:true (tries - 1)))
    | exception _ when tries > 0 ->
        Sys.opaque_identity (fail_whatever_comes ops exn backtrace ~told (tries - 1))

  (* By the owner. Whatever ends it, every operation has a result; it raises only what none of them has got. *)
  let apply_all ?(whole = false) t ops =
    try apply_noted ~whole t ops
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if not (fail_whatever_comes ops exn backtrace ~told:false 1000) then
        Printexc.raise_with_backtrace exn backtrace

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
    (* A thread that serves others, too, does not bind for them. *)
    t.service.round <-
      (fun () ->
        let go_on = Rounds.make t.service ~limit (apply_all t) in
        fun () -> if Service.is_outside () then Locals.within Weft_sched.Bindings.empty go_on else go_on ());
    t

  (* --- calling --- *)

  let[@inline never] in_place_outside t op =
    match Service.in_place t.service S.apply t.structure op with
    | v ->
        Tally.in_place t.service.tally;
        Service.leave t.service;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Tally.in_place t.service.tally;
        Service.leave t.service;
        Printexc.raise_with_backtrace exn backtrace

  (* {!Service.in_place}, written out. *)
  let[@inline] in_place t op =
    let service = t.service in
    let deque = Deque_cells.current () in
    if deque == Deque_cells.nowhere () then in_place_outside t op
    else
      let here = Job.here deque in
      match
        Service.go_inside service deque here;
        S.apply t.structure op
      with
      | v ->
          Job.set_here (Deque_cells.current ()) here;
          Tally.in_place service.tally;
          Service.leave service;
          v
      | exception exn ->
          Job.set_here (Deque_cells.current ()) here;
          let backtrace = Printexc.get_raw_backtrace () in
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
    | Served | Leads -> result cell
    | Entered -> in_place t op

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

  (* In batches within the limit. All that a caller's code makes is made before: it may call [t]. *)
  let in_batches t ~what calls =
    let n = Array.length calls in
    let rec from i =
      if i < n then begin
        let m = min t.limit (n - i) in
        apply_all ~whole:true t (if m = n then calls else Array.sub calls i m);
        from (i + m)
      end
    in
    if n > 0 then owning t ~what (fun () -> from 0)

  let exec_many t ops =
    let n = Array.length ops in
    let cells = Kind.blank n and calls = Kind.blank n in
    for i = 0 to n - 1 do
      cells.(i) <- Cell.make ();
      calls.(i) <- S.Op (ops.(i), cells.(i))
    done;
    in_batches t ~what:"Weft_batch.exec_many" calls;
    Array.map result cells

  let exec_all t n op =
    if n < 0 then invalid_arg (Printf.sprintf "Weft_batch.exec_all: %d operations" n);
    let cells = Kind.blank n and calls = Kind.blank n in
    for i = 0 to n - 1 do
      cells.(i) <- Cell.make ();
      calls.(i) <- S.Op (op i, cells.(i))
    done;
    in_batches t ~what:"Weft_batch.exec_all" calls;
    Array.iter result cells

  let exclusive t f =
    owning t ~what:"Weft_batch.exclusive" (fun () -> Service.alone t.service (fun () -> f t.structure))

  let quiesce t = owning t ~what:"Weft_batch.quiesce" ignore
  let unguarded t = t.structure
  let stats t = Tally.stats t.service.tally t.cutoff
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
  let exec_all = Generic.exec_all
  let exclusive = Generic.exclusive
  let quiesce = Generic.quiesce
  let unguarded = Generic.unguarded
  let stats = Generic.stats
end
