open Span_session

type mark = Task_graph.mark

(* --- forks --- *)

let child_of ?number s ~place =
  let session = s.session in
  let point = { s.point with burdened = s.point.burdened + session.burden } in
  make ?number session ~task:(Task_graph.task ()) ~point ~since:s.since ~place

let unmarked = Task_graph.fork none.session.graph none.task none.task

let fork () =
  match here () with
  | None -> (none, unmarked)
  | Some slot when slot.current == none -> (none, unmarked)
  | Some slot ->
      let s = slot.current in
      stop slot s;
      let child = child_of s ~place:s.place in
      let mark = Task_graph.fork s.session.graph s.task child.task in
      go slot s;
      (child, mark)

(* Another strand runs on this worker: in the same fiber, or in a new one. *)
let enter s =
  match here () with
  | None -> none
  | Some slot ->
      let before = slot.current in
      if before != none then stop slot before;
      go slot s;
      before

let leave s before =
  match here () with
  | None -> ()
  | Some slot ->
      stop slot s;
      s.ended <- true;
      slot.last <- s;
      go slot before

let as_strand s f =
  let before = enter s in
  match f () with
  | v ->
      leave s before;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave s before;
      Printexc.raise_with_backtrace exn backtrace

let right s g = if s == none then g else fun () -> as_strand s g

let close s child mark =
  if child.place == s.place then begin
    s.unsaid <- s.unsaid + child.unsaid;
    child.unsaid <- 0
  end
  else say child;
  Task_graph.close s.session.graph s.task mark child.task ~own:true

let join child mark =
  if child != none then
    match here () with
    | None -> ()
    | Some slot ->
        let s = slot.current in
        if s != none then begin
          stop slot s;
          (* For equal strands, in the same place with the same beginning, no path need be built. *)
          if child.ended then
            if child.place == s.place && child.since = s.since && child.point.path == s.point.path then
              s.point <-
                {
                  s.point with
                  at = max s.point.at child.point.at;
                  burdened = max s.point.burdened child.point.burdened;
                }
            else later s (point_of child);
          close s child mark;
          go slot s
        end

(* --- tasks --- *)

let begin_call session =
  Mutex.protect session.lock @@ fun () ->
  let point = session.tip in
  let s = make session ~task:(Task_graph.task ()) ~point ~since:point.at ~place:session.root in
  ignore (Task_graph.fork session.graph session.main s.task : Task_graph.mark);
  s

let end_call s (began : point) =
  let session = s.session in
  say s;
  Mutex.protect session.lock @@ fun () ->
  let p = point_of s in
  Task_graph.join session.graph session.main s.task;
  session.root.calls <- session.root.calls + 1;
  let burdened = max session.tip.burdened p.burdened in
  session.root.span <- session.root.span + (p.at - began.at);
  session.root.burdened <- session.root.burdened + (p.burdened - began.burdened);
  session.tip <- (if p.at > session.tip.at then { p with burdened } else { session.tip with burdened })

let call session f () =
  let s = begin_call session in
  let began = s.point in
  match as_strand s f with
  | v ->
      end_call s began;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_call s began;
      Printexc.raise_with_backtrace exn backtrace

let task_of slot f =
  let s = slot.current in
  stop slot s;
  s.made <- s.made + 1;
  let child = child_of s ~number:s.made ~place:s.place in
  child.origin <- Forked { by = s; mark = Task_graph.fork s.session.graph s.task child.task };
  go slot s;
  (* A task that nobody awaits counts all the same. *)
  fun () ->
    match as_strand child f with
    | v ->
        say child;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        say child;
        Printexc.raise_with_backtrace exn backtrace

let task deque f =
  if not !profiling then f
  else
    match (slot deque, here ()) with
    | None, _ -> f
    | Some there, Some slot when slot.current != none && slot.of_session == there.of_session -> task_of slot f
    | Some { of_session; _ }, _ -> call of_session f

(* --- settling and meeting --- *)

type settling =
  | Ended of t  (** a task *)
  | Posted of { point : point; event : Task_graph.event }
  | Outside of int  (** by the clock of the waiter's session, which is the real one *)

exception Settled of { created : bool; settling : settling }

let settling_here ~created =
  match here () with
  | Some slot when (not created) && slot.last != none ->
      let s = slot.last in
      slot.last <- none;
      Ended s
  | Some slot when slot.current != none ->
      let s = slot.current in
      stop slot s;
      let event = Task_graph.post s.session.graph s.task in
      go slot s;
      Posted { point = point_of s; event }
  | _ -> Outside (Weft_platform.Tsc.now ())

let settled ~created =
  let settled = Settled { created; settling = settling_here ~created } in
  fun () -> raise_notrace settled

let asked run =
  match run () with _ -> None | exception Settled s -> Some (s.created, s.settling) | exception _ -> None

let is_created run = match asked run with Some (created, _) -> created | None -> false

let join_task s child =
  match child.origin with
  | Forked { by; mark; _ } when by == s && child.ended ->
      child.origin <- Joined_by s;
      Task_graph.close s.session.graph s.task mark child.task ~own:true
  | Joined_by other when other == s -> ()
  | _ -> Task_graph.join s.session.graph s.task child.task

let meet_task slot s child =
  stop slot s;
  let point = point_of child in
  if s.met != child.point then begin
    s.met <- child.point;
    later s point;
    join_task s child
  end;
  go slot s

let meet_settling slot s = function
  | Ended child -> if child.session == s.session then meet_task slot s child
  | Posted { point; event } ->
      if s.met != point then begin
        stop slot s;
        s.met <- point;
        later s point;
        Task_graph.wait s.session.graph s.task event;
        go slot s
      end
  | Outside time ->
      (* It has waited that long for something that is not a strand's. *)
      let idle = time - s.paused in
      if s.session.clock.is_real && s.paused > 0 && idle > 0 then begin
        stop slot s;
        s.paused <- 0;
        s.point <- { s.point with at = s.point.at + idle; burdened = s.point.burdened + idle };
        Task_graph.idle s.session.graph s.task idle;
        go slot s
      end

let meet run =
  match here () with
  | Some slot when slot.current != none ->
      Option.iter (fun (_, settling) -> meet_settling slot slot.current settling) (asked run)
  | _ -> ()

(* --- suspending --- *)

let pause () =
  match here () with
  | None -> none
  | Some slot ->
      let s = slot.current in
      if s != none then begin
        stop slot s;
        s.paused <- s.session.clock.now ()
      end;
      slot.current <- none;
      s

let continue s = if s != none then match here () with None -> () | Some slot -> go slot s

let aside f =
  let s = pause () in
  Fun.protect ~finally:(fun () -> continue s) f

type gathering = (t * point) list Atomic.t

let gathering () = Atomic.make []

let rec note g entry =
  let before = Atomic.get g in
  if not (Atomic.compare_and_set g before (entry :: before)) then note g entry

let gather g =
  match here () with
  | Some slot when slot.current != none ->
      let s = slot.current in
      stop slot s;
      note g (s, point_of s);
      go slot s
  | _ -> ()

(* The youngest first: forks are closed in the opposite order. *)
let after g =
  match here () with
  | Some slot when slot.current != none ->
      let s = slot.current in
      stop slot s;
      let one (child, point) =
        if child != s && child.session == s.session then begin
          later s point;
          join_task s child
        end
      in
      let youngest_first = List.sort (fun (a, _) (b, _) -> Int.compare b.number a.number) (Atomic.get g) in
      List.iter one youngest_first;
      go slot s
  | _ -> ()
