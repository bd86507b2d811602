type event = Readable of Unix.file_descr | Writable of Unix.file_descr | Ended of int
type outcome = Happened | Closed

let lock = Lock.create ()
let listed : (Poller.wait, outcome Waiter.t) Hashtbl.t = Hashtbl.create 64

let add event ~alarm =
  match event with
  | Readable fd -> Poller.add fd ~writes:false ~alarm
  | Writable fd -> Poller.add fd ~writes:true ~alarm
  | Ended pid -> Poller.add_child pid ~alarm

let enlist event ~alarm waiter =
  Lock.protect lock @@ fun () ->
  let wait = add event ~alarm in
  match Hashtbl.replace listed wait waiter with
  | () -> wait
  | exception exn ->
      Poller.remove wait;
      raise exn

let leave wait () =
  Lock.protect lock (fun () -> Hashtbl.remove listed wait);
  Poller.remove wait

(* [None]: its fiber is leaving. *)
let take wait =
  Lock.protect lock @@ fun () ->
  let waiter = Hashtbl.find_opt listed wait in
  Hashtbl.remove listed wait;
  waiter

let wake wait outcome = Option.iter (fun waiter -> ignore (Waiter.wake waiter outcome : bool)) (take wait)

let rec resume_ready () =
  match Poller.take_ready () with
  | Nothing -> ()
  | Ready wait ->
      wake wait Happened;
      resume_ready ()
  | Closed wait ->
      wake wait Closed;
      resume_ready ()

let () = Timers.on_alarm := resume_ready

(* From now until the fiber goes on, some worker of its pool waits for the alarm. *)
let expecting (parts : Worker.parts) f =
  Timers.expect_event parts.timers;
  Fun.protect ~finally:(fun () -> Timers.forget_event parts.timers) @@ fun () ->
  Respawn.alarm_needed parts.sleepers;
  f ()

(* [Waiter]'s own time-outs hold the pool while it is being closed. *)
let at moment call f =
  let timer = Clock.at ~holds:false moment call in
  Fun.protect ~finally:(fun () -> Clock.forget timer) f

let before deadline waiter f =
  match deadline with
  | None -> f ()
  | Some moment -> at moment (fun () -> Waiter.give_up waiter Context.Timeout) f

let await ?deadline ~what ~call event =
  let parts = (Current_worker.worker ()).parts in
  expecting parts @@ fun () ->
  let waiter = Waiter.create () in
  let wait = enlist event ~alarm:parts.alarm waiter in
  match before deadline waiter (fun () -> Waiter.await ~what ~leave:(leave wait) waiter) with
  | Happened -> ()
  | Closed -> raise (Unix.Unix_error (EBADF, call, ""))

let pause ~what seconds =
  let waiter = Waiter.create () in
  at (Clock.after ~who:what seconds)
    (fun () -> ignore (Waiter.wake waiter () : bool))
    (fun () -> Waiter.await ~what ~leave:ignore waiter)

let close fd =
  Poller.end_waits fd;
  Unix.close fd
