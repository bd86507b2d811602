type crowd = { lock : Lock.t; line : (unit -> unit) Wait_queue.t }
type 'a state = Empty | Awaited of crowd | Full of 'a
type 'a t = 'a state Atomic.t

let create () = Atomic.make Empty
let full v = Atomic.make (Full v)
let peek d = match Atomic.get d with Full v -> Some v | Empty | Awaited _ -> None

(* --- putting --- *)

let rec wake_all line =
  match Wait_queue.take line with
  | None -> ()
  | Some wake ->
      wake ();
      wake_all line

let rec put d v =
  Stack_room.(ensure step);
  match Atomic.get d with
  | Full _ -> false
  | (Empty | Awaited _) as was when Atomic.compare_and_set d was (Full v) ->
      (match was with
      | Awaited crowd -> Lock.do_soon crowd.lock (fun () -> wake_all crowd.line)
      | Empty | Full _ -> ());
      true
  | Empty | Awaited _ -> put d v

(* --- waiting --- *)

(* Makes the crowd, unless somebody else does. *)
let gather d =
  let crowd = { lock = Lock.create (); line = Wait_queue.create () } in
  ignore (Atomic.compare_and_set d Empty (Awaited crowd))

let rec wait ?timeout ~what d =
  match Atomic.get d with
  | Full v ->
      Poll.pass_within ~what timeout;
      v
  | Empty ->
      gather d;
      wait ?timeout ~what d
  | Awaited crowd as was ->
      wait_in ?timeout ~what ~unless:(fun () -> Atomic.get d != was) crowd;
      wait ?timeout ~what d

(* Returns once the place is full. *)
and wait_in ?timeout ~what ~unless crowd =
  let cell = Waiter.create () in
  let place = Wait_queue.place (fun () -> ignore (Waiter.wake cell () : bool)) in
  let join () =
    let joins = not (unless ()) in
    if joins then Wait_queue.add crowd.line place;
    joins
  and leave () = Lock.protect crowd.lock (fun () -> Wait_queue.remove place) in
  if Lock.protect crowd.lock join then Waiter.await ?timeout ~what ~leave cell

(* --- watching --- *)

type watcher = { watch : unit -> unit; unwatch : unit -> unit }

let rec join d place wake =
  match Atomic.get d with
  | Full _ -> wake ()
  | Empty ->
      gather d;
      join d place wake
  | Awaited crowd as was ->
      let join_crowd () =
        let joins = Atomic.get d == was in
        if joins then Wait_queue.add crowd.line place;
        joins
      in
      if not (Lock.protect crowd.lock join_crowd) then join d place wake

let leave d place =
  match Atomic.get d with
  | Awaited crowd -> Lock.protect crowd.lock (fun () -> Wait_queue.remove place)
  (* Whoever has filled it takes all out. *)
  | Empty | Full _ -> ()

let watcher d wake =
  let place = Wait_queue.place wake in
  { watch = (fun () -> join d place wake); unwatch = (fun () -> leave d place) }

let watch w = w.watch ()
let unwatch w = w.unwatch ()
