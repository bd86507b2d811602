exception Cancelled of string
exception Timeout

include Types.Fiber
module Atomic_field = Weft_platform.First_field

let status (c : context) : status = Atomic_field.get c
let cas_status (c : context) (was : status) (now : status) = Atomic_field.compare_and_set c was now
let state (f : t) : state = Atomic_field.get f
let cas_state (f : t) (was : state) (now : state) = Atomic_field.compare_and_set f was now

let rec none = { status = Fine; fiber = nobody; outer = none; way = Shield; bindings = Bindings.empty }
and nobody = { state = Running; deque = Deque_memory.nowhere (); id = Fiber_id.unknown }

let[@inline] make deque = { state = Running; deque = Deque_memory.anonymous deque; id = Fiber_id.unknown }

let onwards outer =
  match outer.way with Stoppable | Linked _ -> Stoppable | Free | Shield | Place | Place_in _ -> Free

let base fiber ~outer ~bindings = { status = Fine; fiber; outer; way = onwards outer; bindings }
let inside outer = { status = Fine; fiber = outer.fiber; outer; way = Stoppable; bindings = outer.bindings }
let binding outer bindings = { status = Fine; fiber = outer.fiber; outer; way = onwards outer; bindings }

let[@inline] is_stoppable c =
  match c.way with Stoppable | Linked _ -> true | Free | Shield | Place | Place_in _ -> false

let[@inline] shield outer ~bindings = { status = Fine; fiber = outer.fiber; outer; way = Shield; bindings }
let[@inline] in_place outer ~bindings = { status = Fine; fiber = outer.fiber; outer; way = Place; bindings }

let bridge c ~parent =
  { status = Fine; fiber = parent.fiber; outer = parent; way = Linked c; bindings = parent.bindings }

(* --- who is cancelled --- *)

let sibling_failed = Cancelled "another part of the same call has failed"
let unwanted = Stopped sibling_failed

(* The outermost context of the fiber in which the forks on the way were made, unless something is shielded
   from it. *)
let rec root c =
  match c.way with
  | Shield -> none
  | Place_in root -> root
  | Free | Stoppable | Place | Linked _ -> if c.outer == none then c else root c.outer

(* Noted at every place on the way, since a million tasks may run in place, one inside the other, and each
   looks. *)
let rec note_root c root =
  match c.way with
  | Shield | Place_in _ -> ()
  | Free | Stoppable | Place | Linked _ ->
      if c.way == Place then c.way <- Place_in root;
      if c.outer != none then note_root c.outer root

let[@inline never] find_root c =
  let root = root c in
  note_root c root;
  root

(* For a place. *)
let root_status c =
  let root = match c.way with Place_in root -> root | _ -> find_root c in
  match status root with Stopped _ as s -> s | Fine | Failing _ -> Fine

let rec cancellation_for fiber c =
  match status c with
  | Stopped _ as s -> s
  | Failing _ when c.fiber == fiber -> unwanted
  | Fine | Failing _ -> (
      match c.way with
      | Free | Stoppable -> cancellation_for fiber c.outer
      | Shield -> Fine
      | Place | Place_in _ -> root_status c
      | Linked c -> cancellation_for fiber c)

let cancellation c = cancellation_for c.fiber c

let rec is_stopped_for fiber c exn =
  (match status c with
  | Stopped stop -> stop == exn
  | Failing _ -> c.fiber == fiber && exn == sibling_failed
  | Fine -> false)
  ||
  match c.way with
  | Free | Stoppable -> is_stopped_for fiber c.outer exn
  | Shield -> false
  | Place | Place_in _ -> (
      match root_status c with Stopped stop -> stop == exn | Fine | Failing _ -> false)
  | Linked c -> is_stopped_for fiber c exn

let is_stopped_with c exn = is_stopped_for c.fiber c exn

(* Anything in the fiber's contexts, behind shields too. *)
let rec is_disturbed fiber c =
  c.fiber == fiber && c != none
  &&
  match (status c, c.way) with
  | (Failing _ | Stopped _), _ -> true
  | Fine, Linked group when cancellation_for fiber group <> Fine -> true
  | Fine, _ -> is_disturbed fiber c.outer

let rec mark f =
  match state f with
  | Running -> if not (cas_state f Running Cancel_requested) then mark f
  | Cancel_requested -> ()
  | Suspended w as was -> if not (cas_state f was (Suspended_cancelled w)) then mark f
  | Suspended_cancelled _ -> ()

let call f = Deque.request_preempt f.deque

let[@inline] is_marked f =
  match state f with Cancel_requested -> true | Running | Suspended _ | Suspended_cancelled _ -> false

let is_suspended f =
  match state f with Suspended _ | Suspended_cancelled _ -> true | Running | Cancel_requested -> false

let look c =
  let f = c.fiber in
  if is_marked f then ignore (cas_state f Cancel_requested Running);
  match cancellation c with
  | Stopped exn ->
      mark f;
      call f;
      raise exn
  | Fine | Failing _ -> if is_disturbed f c then mark f

let[@inline] return_to c = if is_marked c.fiber then call c.fiber

(* --- notifying --- *)

let reconsider w = match cancellation w.context with Stopped exn -> w.cancel exn | Fine | Failing _ -> ()

let rec notify_cancel f =
  match state f with
  | Running -> if cas_state f Running Cancel_requested then call f else notify_cancel f
  | Cancel_requested -> call f
  | Suspended w as was -> if cas_state f was (Suspended_cancelled w) then reconsider w else notify_cancel f
  | Suspended_cancelled w -> reconsider w

let rec stop c exn =
  match status c with
  | Stopped _ -> ()
  | (Fine | Failing _) as was -> if cas_status c was (Stopped exn) then notify_cancel c.fiber else stop c exn

let[@inline never] stop_and_tell c exn =
  let was = status c in
  stop c exn;
  match was with Stopped _ -> () | Fine | Failing _ -> !Trace_hooks.listener.cancelled exn

let stop c exn = if !Trace_hooks.on then stop_and_tell c exn else stop c exn

let rec fork_failed c =
  match status c with
  | Stopped _ -> ()
  | Fine -> if cas_status c Fine (Failing 1) then notify_cancel c.fiber else fork_failed c
  | Failing n as was -> if cas_status c was (Failing (n + 1)) then notify_cancel c.fiber else fork_failed c

let rec fork_joined c =
  match status c with
  | Stopped _ | Fine -> ()
  | Failing 1 as was -> if not (cas_status c was Fine) then fork_joined c
  | Failing n as was -> if not (cas_status c was (Failing (n - 1))) then fork_joined c

(* --- waiting --- *)

let rec begin_wait w =
  let f = w.context.fiber in
  if f == nobody then None
  else
    match state f with
    | Running -> if cas_state f Running (Suspended w) then None else begin_wait w
    | Cancel_requested when cas_state f Cancel_requested (Suspended_cancelled w) -> (
        (* Published before the look: whoever stops the fiber in between finds it waiting, and ends the
           wait. *)
        match cancellation w.context with
        | Stopped exn -> Some exn
        | Fine | Failing _ -> None)
    | Cancel_requested -> begin_wait w
    | Suspended _ | Suspended_cancelled _ ->
        (* A signal handler waits on top of a fiber that is about to wait. *)
        None

let[@inline] try_arrive f =
  match state f with
  (* This changes nothing, but is a barrier after the write of the new deque. *)
  | Running -> cas_state f Running Running
  | Suspended _ as was -> cas_state f was Running
  | Suspended_cancelled _ as was ->
      cas_state f was Cancel_requested
      && begin
           call f;
           true
         end
  | Cancel_requested ->
      call f;
      true

let rec arrive f = if not (try_arrive f) then arrive f

let resume_on c deque =
  let f = c.fiber in
  if f != nobody then begin
    f.deque <- Deque_memory.anonymous deque;
    if not (try_arrive f) then arrive f
  end

let () =
  Printexc.register_printer (function
    | Cancelled reason ->
        Some
          (Printf.sprintf
             "Weft.Cancel.Cancelled(%S): the task was stopped, as the program has asked for; handle this \
              exception where the task is awaited"
             reason)
    | Timeout ->
        Some
          "Weft.Cancel.Timeout: the time given to with_timeout, with_deadline or ~timeout is over; handle \
           this exception around that call, or give it more time"
    | _ -> None)
