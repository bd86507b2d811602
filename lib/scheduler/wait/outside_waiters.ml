type t = {
  place : Parker.t Wait_queue.place;
  mutable appoints : bool; (* it was the first in line, and has yet to unpark who is now *)
}

let lock = Lock.create ()
let line : Parker.t Wait_queue.t = Wait_queue.create ()
let look = ref (fun () -> false)

(* Seconds. *)
let interval = 0.004

(* The first in line, if it sleeps until it is woken. *)
let resting = Atomic.make None
let place parker = { place = Wait_queue.place parker; appoints = false }

let wake () =
  match Atomic.get resting with
  | None -> ()
  | Some parker ->
      Atomic.set resting None;
      Parker.unpark parker

let is_first t = match Wait_queue.first line with Some first -> first == t.place | None -> false

(* Whether it is the first. *)
let join t =
  Lock.protect lock (fun () ->
      if not (Wait_queue.is_in_line t.place) then Wait_queue.add line t.place;
      is_first t)

(* Called again, it does what is left. *)
let leave t =
  if Wait_queue.is_in_line t.place || t.appoints then
    Lock.protect lock (fun () ->
        if is_first t then t.appoints <- true;
        Wait_queue.remove t.place;
        if t.appoints then begin
          (match Wait_queue.first line with
          | Some next -> Parker.unpark (Wait_queue.contents next)
          | None -> ());
          t.appoints <- false
        end)

let while_in_line t f =
  let leave () = leave t in
  match f () with
  | v ->
      Interrupt.complete leave;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.complete leave;
      Printexc.raise_with_backtrace exn backtrace

let sleep parker seconds =
  ignore (if seconds = infinity then Parker.park parker else Parker.park_for parker seconds : Parker.outcome)

(* Until a token comes, or the time is over. *)
let rec look_out parker seconds =
  match Parker.park_for parker interval with
  | Token | Interrupted -> ()
  | Timed_out ->
      if !look () then begin
        if seconds = infinity then look_out parker seconds
      end
      else begin
        Atomic.set resting (Some parker);
        if not (!look ()) then sleep parker seconds;
        Atomic.set resting None
      end

let park t seconds =
  let parker = Wait_queue.contents t.place in
  if join t && seconds > interval then look_out parker seconds else sleep parker seconds
