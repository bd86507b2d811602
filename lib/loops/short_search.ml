open Weft_platform

let most = 32

(* So many indices between two looks at the deque; only one at first. *)
let block = 8

(* Nothing overflows, though the last index may be [max_int]. *)
let[@inline] last_of_next last finish = if finish - last <= block then finish else last + block

let is_short deque ~start ~finish =
  start <= finish
  && finish - start >= 0
  && finish - start < most
  (* Outside of pools it is less. *)
  && Deque_memory.id deque >= 0
  && (not !Trace_hooks.on)
  && not (Current_worker.is_profiled ())

(* As where {!Loop} runs a range without dividing it. *)
let is_undivided deque ~workers = workers = 1 || Deque.size deque > workers / 2

(* If the fiber moves, the deque is that of the worker it left; it tells a little less. *)
let[@inline] must_divide deque ~workers = workers > 1 && Deque.is_empty deque

(* --- the first --- *)

let first ~look ~by_loop start finish =
  let deque = Current_worker.deque () in
  if not (is_short deque ~start ~finish) then by_loop start
  else if start = finish then begin
    Current_worker.poll ();
    look start finish
  end
  else begin
    let workers = Current_worker.workers () in
    let rec from i last =
      if Deque.is_preempt_requested deque then Current_worker.poll ();
      match look i last with
      | Some _ as answer -> answer
      | None ->
          if last = finish then None
          else if must_divide deque ~workers then by_loop (last + 1)
          else from (last + 1) (last_of_next last finish)
    in
    if is_undivided deque ~workers then from start start else by_loop start
  end

(* --- any --- *)

type walk = {
  by_loop : int -> unit;
  mutable last : int; (* of the running block *)
  mutable until : int; (* the last index of the walk's own *)
  mutable forked : unit Job.t option; (* what follows that, if the fiber was suspended *)
}

let promote w context =
  if w.last < w.until then begin
    let next = w.last + 1 in
    let j = Job.fork context (fun () -> w.by_loop next) in
    w.until <- w.last;
    w.forked <- Some j;
    Promotion.queue j
  end

(* Whether there was an answer. [last] is written before the poll: a signal's handler that waits there
   promotes the walk. *)
let rec walk w ~look ~deque ~workers first last =
  if Deque.is_preempt_requested deque then Current_worker.poll ();
  match look first last with
  | Some _ -> true
  | None ->
      last < w.until
      && (not (must_divide deque ~workers))
      && begin
           let next = last_of_next last w.until in
           w.last <- next;
           walk w ~look ~deque ~workers (last + 1) next
         end

let several ~look ~by_loop ~deque ~workers start finish =
  let w = { by_loop; last = start; until = finish; forked = None } in
  let outer = Loops.here deque in
  Loops.enter deque ~outer w promote;
  match walk w ~look ~deque ~workers start start with
  | is_found -> (
      Loops.set (Current_worker.deque ()) outer;
      match w.forked with
      | None -> if (not is_found) && w.last < finish then by_loop (w.last + 1)
      | Some j ->
          if is_found then try Fork_join.left_failed j Uncaught.Stopped with Uncaught.Stopped -> ()
          else Fork_join.join j)
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      Loops.set (Current_worker.deque ()) outer;
      match w.forked with
      | Some j -> Fork_join.left_failed j exn
      | None -> Printexc.raise_with_backtrace exn backtrace)

let any ~look ~by_loop start finish =
  let deque = Current_worker.deque () in
  if not (is_short deque ~start ~finish) then by_loop start
  else if start = finish then begin
    Current_worker.poll ();
    ignore (look start finish : _ option)
  end
  else begin
    let workers = Current_worker.workers () in
    if is_undivided deque ~workers then several ~look ~by_loop ~deque ~workers start finish else by_loop start
  end
