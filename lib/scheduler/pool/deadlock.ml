type fiber = { waits_for : string; stack : Printexc.raw_backtrace }
type report = { pool : string; fibers : fiber list }

exception Deadlock of report

(* --- printing --- *)

let calls stack =
  let line slot =
    match Printexc.Slot.name slot with
    | Some name when Own_frames.is_own name -> None
    | Some _ | None -> Printexc.Slot.format 1 slot
  in
  let slots = Option.value (Printexc.backtrace_slots stack) ~default:[||] in
  List.filter_map line (Array.to_list slots)

let most_stacks = 16

let print { pool; fibers } =
  let n = List.length fibers in
  let counted = Waits.counted (List.map (fun f -> f.waits_for) fibers) in
  let b = Buffer.create 256 in
  Printf.bprintf b "Weft.Deadlock: pool %S: %s, and nobody is left to resume %s: %s. %s" pool
    (if n = 1 then "the only fiber waits" else Printf.sprintf "all %d fibers wait" n)
    (if n = 1 then "it" else "them")
    (String.concat ", " (List.map (fun (what, n) -> Printf.sprintf "%d in %s" n what) counted))
    "Find who should have sent, unlocked or resolved there; for waits that a thread or a signal will end, \
     see Weft.Deadlock.expect";
  List.iteri
    (fun i f ->
      match if i < most_stacks then calls f.stack else [] with
      | [] -> ()
      | calls -> Printf.bprintf b "\nFiber %d waits in %s:\n%s" (i + 1) f.waits_for (String.concat "\n" calls))
    fibers;
  if n > most_stacks then Printf.bprintf b "\n(and %d more)" (n - most_stacks);
  Buffer.contents b

let () = Printexc.register_printer (function Deadlock report -> Some (print report) | _ -> None)

(* --- who might come from outside --- *)

type detection = Automatic | Always | Never

let detection = Atomic.make Automatic
let set_detection = Atomic.set detection

let with_detection d f =
  let before = Atomic.exchange detection d in
  Fun.protect f ~finally:(fun () -> set_detection before)

let expected = Atomic.make 0

let expect f =
  Atomic.incr expected;
  Fun.protect ~finally:(fun () -> Atomic.decr expected) f

let blocking_calls = Atomic.make 0

(* Threads are numbered in the order in which they are made, so a new one tells how many there have been.
   Once a thread that is not ours has been seen, the answer stays yes. *)
let others_seen = Atomic.make false

let are_others () =
  Atomic.get others_seen
  (* While a domain of ours has no number yet, its number may have gone to a thread that is not ours. That
     domain looks for a deadlock itself when it becomes idle. *)
  || (not (Runtime_threads.all_have_numbers ()))
  ||
  let ours = Runtime_threads.count () in
  let probe = Runtime_threads.domain "Weft.Deadlock" and number = Atomic.make 0 in
  match
    Runtime_threads.start probe (fun () -> Atomic.set number (Thread.id (Thread.self ())));
    Runtime_threads.join probe
  with
  | () ->
      let others = Atomic.get number > ours + 1 in
      if others then Atomic.set others_seen true;
      others
  | exception _ -> true

let nobody_outside () =
  Atomic.get expected = 0
  && Atomic.get blocking_calls = 0
  &&
  match Atomic.get detection with
  | Never -> false
  | Always -> true
  | Automatic -> (not (Machine.handles_signals ())) && not (are_others ())

(* --- looking --- *)

open Pool_state

let at_rest p =
  Suspended_fibers.with_no_read p.parts.home.suspended (fun () ->
      Timers.is_quiet p.parts.timers && Worker.is_idle p.parts)

let all_at_rest p = p.state = Open && at_rest p && List.for_all at_rest (others p)

(* What stands in a limit's queue is held, not listed: it has not begun, or goes on only when the limit has
   room. *)
let queued_for_a_limit = "Weft.Limit.run"

(* Fibers of other pools, too: the cause may be there. [None]: the fiber has been resumed meanwhile. *)
let fibers_that_wait p =
  let of_pool q =
    let wait what stack =
      { waits_for = (if q == p then what else Printf.sprintf "%s (in pool %S)" what q.name); stack }
    in
    let suspended = q.parts.home.suspended in
    let listed e = Option.map (wait (Suspended_fibers.what e)) (Suspended_fibers.stack suspended e) in
    List.map listed (Suspended_fibers.waits suspended)
    @ List.init (Suspended_fibers.queued suspended) (fun _ ->
          Some (wait queued_for_a_limit Suspended_fibers.no_frames))
  in
  List.concat_map of_pool (p :: others p)

let end_root p report (root : root) =
  match root.context with
  | Some context when not root.told ->
      root.told <- true;
      Fiber.stop context report
  | _ -> Suspended_fibers.cancel_all p.parts.home.suspended report

(* A fiber that has been resumed goes on: then there is no deadlock, or not yet. *)
let end_roots p =
  let fibers = fibers_that_wait p in
  if fibers <> [] && List.for_all Option.is_some fibers then
    let report = Deadlock { pool = p.name; fibers = List.filter_map Fun.id fibers } in
    List.iter (end_root p report) (Lock.protect p.lock (fun () -> p.roots))

(* One worker looks at a time. Of two workers that go to sleep at once, the second looks again at what the
   first has changed. A worker must not count another worker's probe thread as somebody else's. *)
let looking = Lock.create ()

let look p =
  if p.roots <> [] then
    Lock.protect looking @@ fun () ->
    let suspended = p.parts.home.suspended in
    let is_deadlocked () = (not (Suspended_fibers.is_empty suspended)) && all_at_rest p in
    (* Asked twice, so that nothing has changed in between. *)
    if is_deadlocked () && nobody_outside () && is_deadlocked () then begin
      end_roots p;
      (* The root may not have passed the exception on; and if no fiber goes on, nobody looks again. *)
      if is_deadlocked () then end_roots p
    end

let as_root p f call =
  let root = { context = None; told = false } in
  Lock.protect p.lock (fun () -> p.roots <- root :: p.roots);
  let leave () =
    Lock.protect p.lock (fun () -> p.roots <- List.filter (fun other -> other != root) p.roots)
  in
  let f () =
    root.context <- Some (Context.current ());
    f ()
  in
  Fun.protect ~finally:leave (fun () -> call f)
