(* Message number [i], from 0, lies at [i mod n] until message [i + n] comes. All that wait are woken by each
   message, and look again under the lock: so it does not matter whether one that gives up was woken, and
   nothing is handed over that could be lost. *)

exception Closed
exception Lagged of int

let () =
  Printexc.register_printer (function
    | Closed -> Some "Weft.Broadcast.Closed"
    | Lagged n -> Some (Printf.sprintf "Weft.Broadcast.Lagged(%d)" n)
    | _ -> None)

type 'a t = {
  lock : Lock.t; (* guards all that follows, and the positions of the subscriptions *)
  slots : 'a option array;
  mutable sent : int;
  mutable closed : bool;
  queue : unit Waiter.t Wait_queue.t;
}

type 'a subscription = { channel : 'a t; mutable next : int (* the number of the first that was not read *) }

let create n =
  if n < 1 || n > Sys.max_array_length then
    invalid_arg (Printf.sprintf "Weft.Broadcast.create: %d messages" n);
  { lock = Lock.create (); slots = Array.make n None; sent = 0; closed = false; queue = Wait_queue.create () }

(* --- sending --- *)

let rec wake_all c =
  match Wait_queue.take c.queue with
  | None -> ()
  | Some waiter ->
      ignore (Waiter.wake waiter () : bool);
      wake_all c

let send c v =
  Poll.checkpoint ();
  Stack_room.(ensure call);
  let message = Some v in
  Lock.protect c.lock @@ fun () ->
  if c.closed then raise Closed;
  c.slots.(c.sent mod Array.length c.slots) <- message;
  c.sent <- c.sent + 1;
  wake_all c

let close c =
  Stack_room.(ensure call);
  Lock.protect c.lock @@ fun () ->
  c.closed <- true;
  wake_all c

let is_closed c = c.closed

(* --- reading --- *)

let subscribe c = Lock.protect c.lock (fun () -> { channel = c; next = c.sent })
let unread s = Lock.protect s.channel.lock (fun () -> s.channel.sent - s.next)

(* Under the lock. *)
let read s =
  let c = s.channel in
  let eldest = max 0 (c.sent - Array.length c.slots) in
  if s.next < eldest then begin
    let missed = eldest - s.next in
    s.next <- eldest;
    raise (Lagged missed)
  end;
  if s.next = c.sent then None
  else begin
    let message = c.slots.(s.next mod Array.length c.slots) in
    s.next <- s.next + 1;
    message
  end

let try_recv s = Lock.protect s.channel.lock (fun () -> read s)
let recv_poll = try_recv

(* A message, or a place in the queue. *)
let read_or_join s node =
  Lock.protect s.channel.lock @@ fun () ->
  match read s with
  | Some _ as message -> message
  | None ->
      if s.channel.closed then raise Closed;
      Wait_queue.add s.channel.queue node;
      None

(* The time-out counts from the beginning, however often others read first. *)
let rec recv_by ~what ?timeout ~since s =
  let waiter = Waiter.create () in
  let node = Wait_queue.node waiter in
  match read_or_join s node with
  | Some v -> v
  | None ->
      let left = Option.map (fun t -> t -. Timers.seconds (Timer_thread.now () - since)) timeout in
      let leave () = Lock.protect s.channel.lock (fun () -> Wait_queue.remove node) in
      Waiter.await ?timeout:left ~what ~leave waiter;
      recv_by ~what ?timeout ~since s

let recv ?timeout s =
  let what = "Weft.Broadcast.recv" in
  Poll.checkpoint_within ~what timeout;
  match try_recv s with
  | Some v -> v
  | None ->
      let since = if Option.is_none timeout then 0 else Timer_thread.now () in
      recv_by ~what ?timeout ~since s
