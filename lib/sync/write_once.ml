type waiters = { lock : Lock.t; queue : (unit -> unit) Wait_queue.t }
type 'a state = Empty | Awaited of waiters | Full of 'a
type 'a t = 'a state Atomic.t

let create () = Atomic.make Empty
let peek d = match Atomic.get d with Full v -> Some v | Empty | Awaited _ -> None

(* --- putting --- *)

let rec wake_all queue =
  match Wait_queue.take queue with
  | None -> ()
  | Some wake ->
      wake ();
      wake_all queue

let rec put d v =
  Stack_room.(ensure call);
  match Atomic.get d with
  | Full _ -> false
  | (Empty | Awaited _) as was when Atomic.compare_and_set d was (Full v) ->
      (match was with
      | Awaited waiters -> Lock.do_soon waiters.lock (fun () -> wake_all waiters.queue)
      | Empty | Full _ -> ());
      true
  | Empty | Awaited _ -> put d v

(* --- waiting --- *)

(* Makes the queue, unless somebody else does. *)
let gather d =
  let waiters = { lock = Lock.create (); queue = Wait_queue.create () } in
  ignore (Atomic.compare_and_set d Empty (Awaited waiters))

let rec wait ?timeout ~what d =
  match Atomic.get d with
  | Full v ->
      Poll.checkpoint_within ~what timeout;
      v
  | Empty ->
      gather d;
      wait ?timeout ~what d
  | Awaited waiters as was ->
      wait_in ?timeout ~what ~unless:(fun () -> Atomic.get d != was) waiters;
      wait ?timeout ~what d

(* Returns once the place is full. *)
and wait_in ?timeout ~what ~unless waiters =
  let waiter = Waiter.create () in
  let node = Wait_queue.node (fun () -> ignore (Waiter.wake waiter () : bool)) in
  let join () =
    let joins = not (unless ()) in
    if joins then Wait_queue.add waiters.queue node;
    joins
  and leave () = Lock.protect waiters.lock (fun () -> Wait_queue.remove node) in
  if Lock.protect waiters.lock join then Waiter.await ?timeout ~what ~leave waiter

(* --- watching --- *)

type watcher = { watch : unit -> unit; unwatch : unit -> unit }

let rec join d node wake =
  match Atomic.get d with
  | Full _ -> wake ()
  | Empty ->
      gather d;
      join d node wake
  | Awaited waiters as was ->
      let enqueue () =
        let joins = Atomic.get d == was in
        if joins then Wait_queue.add waiters.queue node;
        joins
      in
      if not (Lock.protect waiters.lock enqueue) then join d node wake

let leave d node =
  match Atomic.get d with
  | Awaited waiters -> Lock.protect waiters.lock (fun () -> Wait_queue.remove node)
  (* Whoever has filled it takes all out. *)
  | Empty | Full _ -> ()

let watcher d wake =
  let node = Wait_queue.node wake in
  { watch = (fun () -> join d node wake); unwatch = (fun () -> leave d node) }

let watch w = w.watch ()
let unwatch w = w.unwatch ()
