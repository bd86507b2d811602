open Weft_platform
module Context = Weft_scheduler.Context
module Poll = Weft_scheduler.Poll
module Job = Weft_scheduler.Job
module Locals = Weft_scheduler.Locals
module Deque = Weft_scheduler.Deque

exception Reentrant = Combiner.Reentrant

let unanswered =
  Failure
    "Weft_batch: an operation has got no result: the structure's run has left it out, or its comparison is \
     no order"

let failed_unseen =
  Weft_scheduler.Uncaught.Other
    "an operation that was submitted to a structure has failed, and nobody awaits its promise (await it, or \
     call Promise.on_settled)"

module With_bulk (S : Structures.GENERIC) = struct
  (* The state that applying a batch needs. *)
  type 'v core = { structure : 'v S.t; cutoff : Cutoff.t; spin : Spin_policy.t; number : int }
  type 'v t = { core : 'v core; combiner : 'v S.packed Combiner.t }

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

  let apply_each structure ops = Bulk_poll.iter (apply_one structure) ops

  (* [f x] applies [n] operations; returns the ticks it took. *)
  let noted ?(learn = true) core (combiner : _ Combiner.t) n ~parallel f x =
    let began = if Span.is_observed () then Timer_thread.now () else 0 in
    let started = Tsc.now () in
    let note () =
      let ticks = Tsc.now () - started in
      if learn then Cutoff.record core.cutoff n ~batch:parallel ticks;
      Counts.batch combiner.counts ~size:n ~parallel ~ticks;
      if began > 0 then
        Span.tell { structure = core.number; size = n; parallel; began; ended = Timer_thread.now () };
      ticks
    in
    match f x with
    | () -> note ()
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        ignore (note () : int);
        Printexc.raise_with_backtrace exn backtrace

  let note_progress core (combiner : _ Combiner.t) now =
    Spin_policy.note core.spin ~operations:(Counts.operations combiner.counts) ~now

  let apply_noted ~whole core combiner ops =
    let n = Array.length ops in
    let run = if whole || Cutoff.choose core.cutoff n then S.run else None in
    ignore
      (match run with
       | Some run ->
           let run_all ops = Combiner.as_batch combiner (fun () -> run_batch run core.structure ops) in
           noted core combiner n ~parallel:true run_all ops
       | None ->
           noted core combiner n ~parallel:false (Combiner.in_place combiner apply_each core.structure) ops
        : int);
    if whole then Spin_policy.start_again core.spin else note_progress core combiner (Tsc.now ())

  (* By the owner. However it ends, every operation has a result; it raises only an exception that no
     operation got. *)
  let apply_all ?(whole = false) core combiner ops =
    try apply_noted ~whole core combiner ops
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if Array.exists is_unresolved ops then fail_unresolved ops exn backtrace
      else Printexc.raise_with_backtrace exn backtrace

  (* A thread that serves others, too, does not bind for them. *)
  let serve_line core combiner ops =
    let apply () = apply_all core combiner ops in
    if Combiner.is_outside () then Locals.within Weft_scheduler.Bindings.empty apply else apply ()

  let create ?(limit = max_int) ?(cutoff = `Adaptive) ?(rank = fun _ -> 0) structure =
    Misuse.check "Weft_batch.create" ~limit ~cutoff ();
    let number = Span.next_structure () and cutoff = Cutoff.make cutoff in
    let core = { structure; cutoff; spin = Spin_policy.make cutoff; number } in
    { core; combiner = Combiner.make number ~limit ~rank (serve_line core) }

  (* --- calling --- *)

  let[@inline] leave (combiner : _ Combiner.t) here =
    Combiner.go_outside combiner here;
    Counts.in_place combiner.counts;
    Combiner.leave combiner

  let[@inline] in_place t op deque =
    let combiner = t.combiner in
    let here = Combiner.here deque in
    match
      Combiner.go_inside combiner deque here;
      User_functions.call S.apply t.core.structure op
    with
    | v ->
        leave combiner here;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        leave combiner here;
        Printexc.raise_with_backtrace (User_functions.explained exn) backtrace

  let leave_timed t started =
    let now = Tsc.now () in
    Spin_policy.entered t.core.spin (now - started);
    Counts.in_place t.combiner.counts;
    note_progress t.core t.combiner now;
    Combiner.leave t.combiner

  (* For a caller that had to wait. *)
  let in_place_timed t op =
    let started = Tsc.now () in
    match Combiner.in_place t.combiner S.apply t.core.structure op with
    | v ->
        leave_timed t started;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        leave_timed t started;
        Printexc.raise_with_backtrace exn backtrace

  let result cell =
    match Cell.result cell with
    | Some (Ok v) -> v
    | Some (Error (exn, backtrace)) -> Printexc.raise_with_backtrace exn backtrace
    | None -> raise unanswered

  let[@inline never] exec_slow t op =
    Stack_room.(ensure call);
    Combiner.check t.combiner "Weft_batch.exec";
    let cell = Cell.make () in
    let call = S.Op (op, cell) in
    let word caller = Publication_list.call call caller in
    match Await_turn.publish t.combiner word t.core.spin ~what:t.combiner.exec_of_it with
    | Served | Leads -> result cell
    | Entered -> in_place_timed t op

  (* The deque is looked up once, unless the checkpoint may have moved the fiber. *)
  let exec t op =
    let deque = Deque_memory.current () in
    let deque =
      if Deque.is_preempt_requested deque then begin
        Poll.checkpoint ();
        Deque_memory.current ()
      end
      else deque
    in
    if Publication_list.enter t.combiner.published then in_place t op deque else exec_slow t op

  let owning t ~what f =
    Stack_room.(ensure call);
    Await_turn.enter t.combiner ~what;
    match f () with
    | v ->
        Combiner.pass_on t.combiner;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Combiner.pass_on t.combiner;
        Printexc.raise_with_backtrace exn backtrace

  (* Not cut in the middle by the caller's cancellation. *)
  let owning_shielded t ~what f = owning t ~what (fun () -> Context.shield f)

  (* In batches within the limit. The caller's code makes all operations first, since it may call [t]. *)
  let in_batches t ~what calls =
    Stack_room.(ensure deep);
    let n = Array.length calls in
    let rec from i =
      if i < n then begin
        let m = min t.combiner.limit (n - i) in
        apply_all ~whole:true t.core t.combiner (if m = n then calls else Array.sub calls i m);
        from (i + m)
      end
    in
    if n > 0 then owning_shielded t ~what (fun () -> from 0)

  (* Each operation with an empty cell for its result. *)
  let calls_with_cells ops =
    let n = Array.length ops in
    let cells = Array_repr.blank n and calls = Array_repr.blank n in
    for i = 0 to n - 1 do
      cells.(i) <- Cell.make ();
      calls.(i) <- S.Op (ops.(i), cells.(i));
      Bulk_poll.after i
    done;
    (cells, calls)

  let exec_many t ops =
    let cells, calls = calls_with_cells ops in
    in_batches t ~what:"Weft_batch.exec_many" calls;
    Array.map result cells

  let calls_of op first n =
    let call i =
      Bulk_poll.after i;
      S.Op (op (first + i), Cell.make ())
    in
    Array.init n call

  let exec_whole t n op =
    let calls = calls_of op 0 n in
    in_batches t ~what:"Weft_batch.exec_all" calls;
    Array.iter (fun (S.Op (_, cell)) -> ignore (result cell)) calls

  (* So many are tried one by one, twice, since the collector may come in one; and so many as a batch:
     enough for several domains. *)
  let few = 1024
  let many = 4 * few
  let tried = few + many + few
  let least_tried = 2 * many

  (* So many are applied one by one before both ways are tried again; then four times as many. *)
  let stretch = 16 * few

  let exec_pieces t n op =
    let failure = ref None in
    let fail exn backtrace =
      if Option.is_none !failure then failure := Some (User_functions.explained exn, backtrace)
    in
    let apply_from first last =
      for i = first to last do
        (try S.apply t.core.structure (op i) with exn -> fail exn (Printexc.get_raw_backtrace ()));
        Bulk_poll.after i
      done
    in
    let one_by_one first m =
      noted t.core t.combiner m ~learn:false ~parallel:false
        (Combiner.in_place t.combiner apply_from first)
        (first + m - 1)
    in
    let as_batch first m =
      let started = Tsc.now () in
      let calls = calls_of op first m in
      apply_all ~whole:true t.core t.combiner calls;
      let take (S.Op (_, cell)) =
        try ignore (result cell) with exn -> fail exn (Printexc.get_raw_backtrace ())
      in
      Array.iter take calls;
      Tsc.now () - started
    in
    let rec batches first =
      if first < n then begin
        let m = min t.combiner.limit (n - first) in
        ignore (as_batch first m : int);
        batches (first + m)
      end
    in
    let single_is_cheaper first =
      let before = one_by_one first few in
      let batch = as_batch (first + few) many in
      let after = one_by_one (first + few + many) few in
      min before after * (many / few) < batch
    in
    let singly first m = if m > 0 then ignore (one_by_one first m : int) in
    let rec from first ~single stretch =
      if n - first < least_tried then if single then singly first (n - first) else batches first
      else
        let single = single_is_cheaper first in
        let first = first + tried in
        if not single then batches first
        else begin
          let m = min stretch (n - first) in
          singly first m;
          from (first + m) ~single (4 * stretch)
        end
    in
    let all () = if Option.is_none S.run then singly 0 n else from 0 ~single:false stretch in
    Stack_room.(ensure deep);
    owning_shielded t ~what:"Weft_batch.exec_all" all;
    Spin_policy.start_again t.core.spin;
    Option.iter (fun (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace) !failure

  let exec_all ?(whole = true) t n op =
    Misuse.check_count "Weft_batch.exec_all" n;
    if whole || n < least_tried || t.combiner.limit < many || not (Cutoff.is_measured t.core.cutoff) then
      exec_whole t n op
    else exec_pieces t n op

  (* --- submitting --- *)

  let outcome get : _ Job.state =
    match get () with
    | v -> Returned v
    | exception exn ->
        let failure = Job.failure exn (Printexc.get_raw_backtrace ()) in
        Job.watch failure failed_unseen;
        Raised failure

  let submit t op =
    let cell = Cell.make () and promise = Job.pending_of_resolver () in
    let caller = Waiters.Submitted (promise, fun () -> outcome (fun () -> result cell)) in
    Combiner.submit t.combiner "Weft_batch.submit" [| Publication_list.call (S.Op (op, cell)) caller |];
    Weft.Promise.Private.of_job promise

  let submit_many t ops =
    if Array.length ops = 0 then Weft.Promise.of_value [||]
    else begin
      let cells, calls = calls_with_cells ops and promise = Job.pending_of_resolver () in
      let last = Waiters.Submitted (promise, fun () -> outcome (fun () -> Array.map result cells)) in
      let caller i = if i < Array.length calls - 1 then Waiters.Not_last else last in
      Combiner.submit t.combiner "Weft_batch.submit_many"
        (Array.mapi (fun i call -> Publication_list.call call (caller i)) calls);
      Weft.Promise.Private.of_job promise
    end

  (* --- others --- *)

  let exclusive t f =
    owning t ~what:"Weft_batch.exclusive" (fun () -> Combiner.alone t.combiner (fun () -> f t.core.structure))

  let quiesce t = owning t ~what:"Weft_batch.quiesce" ignore
  let unguarded t = t.core.structure
  let stats t = Counts.stats t.combiner.counts t.core.cutoff

  let exec_bulk t n f =
    let bulk structure = Combiner.as_batch t.combiner (fun () -> f structure) in
    let all () = ignore (noted ~learn:false t.core t.combiner n ~parallel:true bulk t.core.structure : int) in
    n <= t.combiner.limit
    && begin
         Stack_room.(ensure deep);
         owning_shielded t ~what:"Weft_batch.exec_all" all;
         Spin_policy.start_again t.core.spin;
         true
       end
end

module Make_generic = With_bulk

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
  include Generic

  type t = unit Generic.t

  let create ?limit ?cutoff ?rank structure =
    let rank = Option.map (fun rank (Generic_structure.Op (op, cell)) -> rank (S.Op (op, cell))) rank in
    create ?limit ?cutoff ?rank structure
end
