type t = Parker.t Wait_queue.node

let lock = Lock.create ()
let queue : Parker.t Wait_queue.t = Wait_queue.create ()
let look = ref (fun () -> false)

(* Seconds. *)
let interval = 0.004

(* The first of the queue, if it sleeps until it is woken. *)
let resting = Atomic.make None
let place = Wait_queue.node

let wake () =
  match Atomic.get resting with
  | None -> ()
  | Some parker ->
      Atomic.set resting None;
      Parker.unpark parker

let is_first t = match Wait_queue.first queue with Some first -> first == t | None -> false

(* Whether it is the first. *)
let join t =
  Lock.protect lock (fun () ->
      if not (Wait_queue.is_queued t) then Wait_queue.add queue t;
      is_first t)

let leave t =
  if Wait_queue.is_queued t then
    Lock.protect lock (fun () ->
        let appoints = is_first t in
        Wait_queue.remove t;
        match Wait_queue.first queue with
        | Some next when appoints -> Parker.unpark (Wait_queue.contents next)
        | Some _ | None -> ())

let while_queued t f = Fun.protect ~finally:(fun () -> leave t) f

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
  let parker = Wait_queue.contents t in
  if join t && seconds > interval then look_out parker seconds else sleep parker seconds
