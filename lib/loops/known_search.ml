let largest = 64

let[@inline] last_of_next first last finish =
  let n = Int.min largest ((last - first + 1) * 16) in
  if finish - last < n then finish else last + n

(* The search is as long as any, for all we know. *)
let[@inline never] go_on known code ~size ~left by_loop =
  let before = Tsc.now () in
  let answer = by_loop () in
  let ticks = Tsc.now () - before in
  if Option.is_none answer && ticks / left * size > Grain.long * 2 then Known_cost.distrust known code;
  answer

let most = 4096

let learning known code ~start ~finish search =
  if code = Known_cost.none || start > finish || finish - start < 0 || finish - start >= most then search ()
  else begin
    let before = Tsc.now () in
    let answer = search () in
    let ticks = Tsc.now () - before in
    if Option.is_none answer then begin
      let n = finish - start + 1 in
      Known_cost.learn known code (n * (Grain.long / 2) / Int.max ticks (Grain.long / 16))
    end;
    answer
  end

(* --- the first --- *)

let first deque ~alone known code ~look ~by_loop start finish =
  let rec from first last =
    match look first last with
    | Some _ as answer -> answer
    | None ->
        if last = finish then None
        else if not (Short_loop.goes_on deque ~alone) then
          go_on known code ~size:(finish - start + 1) ~left:(finish - last) (fun () -> by_loop (last + 1))
        else from (last + 1) (last_of_next first last finish)
  in
  from start start

(* --- any --- *)

(* What follows the walk, if its fiber was suspended. *)
type 'a rest = { exit : Early_exit.t; found : 'a option Atomic.t; job : unit Job.t }

type 'a walk = {
  by_loop : Early_exit.t -> int -> 'a option;
  alone : bool; (* in a pool of one *)
  mutable last : int; (* of the running block *)
  mutable until : int; (* the last index of the walk's own *)
  mutable rest : 'a rest option;
}

let promote w context =
  if w.last < w.until then begin
    let next = w.last + 1 and exit = Early_exit.start All and found = Atomic.make None in
    (* An answer ends what the walk waits for. *)
    let run () =
      match w.by_loop exit next with
      | None -> ()
      | answer ->
          Atomic.set found answer;
          raise_notrace Uncaught.Stopped
    in
    let job = Job.fork context run in
    w.until <- w.last;
    w.rest <- Some { exit; found; job };
    Promotion.queue job
  end

(* [last] is written before the call, as in {!Short_loop.by_blocks}. *)
let rec walk w look deque first last =
  match look first last with
  | Some _ as answer -> answer
  | None ->
      if last < w.until && Short_loop.goes_on deque ~alone:w.alone then begin
        let next = last_of_next first last w.until in
        w.last <- next;
        walk w look deque (last + 1) next
      end
      else None

(* An answer of its own counts, whatever the rest does. *)
let[@inline never] with_rest rest answer known code =
  Known_cost.distrust known code;
  match answer with
  | None ->
      (try Fork_join.join rest.job with Uncaught.Stopped -> ());
      Atomic.get rest.found
  | Some _ ->
      Early_exit.stop rest.exit min_int;
      (try Fork_join.left_failed rest.job Uncaught.Stopped with Uncaught.Stopped -> ());
      answer

(* An answer of the rest counts, too, if the walk has failed. *)
let[@inline never] failed w exn =
  match w.rest with
  | None -> Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())
  | Some rest -> (
      match Fork_join.left_failed rest.job exn with
      | answer -> answer
      | exception exn -> (
          let backtrace = Printexc.get_raw_backtrace () in
          match Atomic.get rest.found with
          | None -> Printexc.raise_with_backtrace exn backtrace
          | answer ->
              Uncaught.suppressed exn backtrace;
              answer))

let any deque ~alone known code ~look ~by_loop start finish =
  let outer = Loops.here deque in
  let w = { by_loop; alone; last = start; until = finish; rest = None } in
  Loops.enter deque ~outer w promote;
  match walk w look deque start start with
  | answer -> (
      Loops.set (Current_worker.deque ()) outer;
      match (w.rest, answer) with
      | Some rest, _ -> with_rest rest answer known code
      | None, Some _ -> answer
      | None, None ->
          if w.last = finish then None
          else
            go_on known code
              ~size:(finish - start + 1)
              ~left:(finish - w.last)
              (fun () -> by_loop (Early_exit.start All) (w.last + 1)))
  | exception exn ->
      Loops.set (Current_worker.deque ()) outer;
      failed w exn

(* --- where thieves find nothing --- *)

let singly = 16

(* [in_order], the rest may fail or find an answer while a smaller index is still to be looked at: so that is kept,
   and does not stop the owner, as the failure of a fork would. Else it does. What a few indices take says
   little. *)
let deferred deque known code ~in_order ~look ~by_loop start finish =
  let outcome = Atomic.make (Ok None) in
  let search first =
    if finish - first < (finish - start) / 2 then by_loop first
    else learning known code ~start:first ~finish (fun () -> by_loop first)
  in
  let run first =
    match search first with
    | answer ->
        Atomic.set outcome (Ok answer);
        if Option.is_some answer && not in_order then raise_notrace Uncaught.Stopped
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Atomic.set outcome (Error (exn, backtrace));
        if not in_order then Printexc.raise_with_backtrace exn backtrace
  in
  Stack_room.(ensure call);
  let rest = Deferred_rest.make deque known code ~start ~until:start ~finish run in
  (* The rest does not count, or may not. *)
  let end_rest exn =
    match Deferred_rest.failed rest exn with
    | _ -> ()
    | exception _ -> (
        match Atomic.get outcome with
        | Error (other, backtrace) when in_order && other != exn && exn != Fiber.sibling_failed ->
            Uncaught.suppressed other backtrace
        | Ok _ | Error _ -> ())
  in
  let rec from first last n =
    match look first last with
    | Some _ as answer ->
        end_rest Uncaught.Stopped;
        answer
    | None ->
        let next = Deferred_rest.claim rest n in
        if last < next then
          (* One that waits holds up the others of its stretch. *)
          let n = if next - start < singly then 1 else Int.min largest (4 * n) in
          from (last + 1) next n
        else of_rest ()
  and of_rest () =
    (try Deferred_rest.join rest with Uncaught.Stopped -> ());
    match Atomic.get outcome with
    | Ok answer -> answer
    | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
  in
  match
    Deferred_rest.offer rest;
    from start start 1
  with
  | answer -> answer
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      end_rest exn;
      match Atomic.get outcome with
      | Ok (Some _ as answer) when not in_order ->
          Uncaught.suppressed exn backtrace;
          answer
      | Error (other, backtrace) when exn == Fiber.sibling_failed ->
          Printexc.raise_with_backtrace other backtrace
      | Ok _ | Error _ -> Printexc.raise_with_backtrace exn backtrace)
