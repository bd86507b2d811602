exception Closed

let () =
  Printexc.register_printer (function
    | Closed ->
        Some
          "Weft.Chan.Closed: nothing can be sent into this channel any more, nor received once it is empty; \
           close it after the last send, and receive by recv_opt or iter, which end then"
    | _ -> None)

type 'a sender = { message : 'a option; tell : bool -> bool }
type 'a receiver = 'a option -> bool

type 'a t = {
  guard : Ordered_mutex.t;
  capacity : int;
  ring : 'a Ring.t;
  senders : 'a sender Wait_queue.t;
  receivers : 'a receiver Wait_queue.t;
  mutable closed : bool;
  mutable name : string; (* for traces *)
}

let create capacity =
  {
    guard = Ordered_mutex.create ();
    capacity;
    ring = Ring.create ();
    senders = Wait_queue.create ();
    receivers = Wait_queue.create ();
    closed = false;
    name = "";
  }

(* --- the queues, with the guard held --- *)

let rec give_first c m =
  match Wait_queue.take c.receivers with None -> false | Some give -> give m || give_first c m

let rec take_first c =
  match Wait_queue.take c.senders with
  | None -> None
  | Some s -> if s.tell true then s.message else take_first c

(* --- without waiting, with the guard held --- *)

let try_send c m =
  if c.closed then raise Closed;
  if (not (Wait_queue.is_empty c.receivers)) && give_first c m then true
  else if Ring.length c.ring < c.capacity then begin
    Ring.make_room c.ring;
    Ring.add c.ring m;
    true
  end
  else false

(* The ring holds more than it should after [put_back]. *)
let[@inline never] drop_and_refill c =
  let next = if Ring.length c.ring > c.capacity then None else take_first c in
  Ring.drop c.ring;
  (* Senders wait only while the ring is full, so one fits in now. *)
  if next != None then Ring.add c.ring next

let try_recv c =
  if Ring.length c.ring > 0 then begin
    let m = Ring.first c.ring in
    if Wait_queue.is_empty c.senders then Ring.drop c.ring else drop_and_refill c;
    m
  end
  else if Wait_queue.is_empty c.senders then None
  else take_first c

(* --- waiting --- *)

let put_back c m =
  Ordered_mutex.protect c.guard @@ fun () ->
  if not (give_first c m) then begin
    Ring.make_room c.ring;
    Ring.add_first c.ring m
  end

(* Whether the caller does not want to wait at all. *)
let no_time = function None -> false | Some seconds -> seconds <= 0.

let about c =
  if !Trace_hooks.on then { Trace_hooks.nothing with number = Ordered_mutex.number c.guard; name = c.name }
  else if String.equal c.name "" then Trace_hooks.nothing
  else { Trace_hooks.nothing with name = c.name }

(* [enter ()], under the lock, does the operation, or queues [node] and returns [None]. *)
let wait ?timeout ~what c ~waiter ~node ~lost enter =
  let leave () = Ordered_mutex.protect c.guard (fun () -> Wait_queue.remove node) in
  match Ordered_mutex.protect c.guard enter with
  | Some v -> v
  | None -> Waiter.await ?timeout ~what ~about:(about c) ~leave ~lost waiter

let[@inline never] send_later timeout what c m =
  let waiter = Waiter.create () in
  let node = Wait_queue.node { message = m; tell = (fun taken -> Ordered_mutex.wake c.guard waiter taken) } in
  let enter () =
    if try_send c m then Some true
    else if no_time timeout then raise Context.Timeout
    else begin
      Wait_queue.add c.senders node;
      None
    end
  in
  if not (wait ?timeout ~what c ~waiter ~node ~lost:ignore enter) then raise Closed

let send ?timeout ~what c m =
  Poll.checkpoint_within ~what timeout;
  if not (Ordered_mutex.protect c.guard (fun () -> try_send c m)) then send_later timeout what c m

let[@inline never] recv_later timeout what c =
  let waiter = Waiter.create () in
  let node = Wait_queue.node (fun m -> Ordered_mutex.wake c.guard waiter m) in
  let enter () =
    match try_recv c with
    | Some _ as m -> Some m
    | None when c.closed -> Some None
    | None when no_time timeout -> raise Context.Timeout
    | None ->
        Wait_queue.add c.receivers node;
        None
  in
  let lost = function None -> () | m -> put_back c m in
  wait ?timeout ~what c ~waiter ~node ~lost enter

let recv ?timeout ~what c =
  Poll.checkpoint_within ~what timeout;
  match Ordered_mutex.protect c.guard (fun () -> try_recv c) with None -> recv_later timeout what c | m -> m

(* --- closing --- *)

let rec tell_all c =
  match (Wait_queue.take c.senders, Wait_queue.is_empty c.receivers) with
  | Some s, _ ->
      ignore (s.tell false : bool);
      tell_all c
  | None, false ->
      ignore (give_first c None : bool);
      tell_all c
  | None, true -> ()

let close c =
  Ordered_mutex.protect c.guard @@ fun () ->
  if not c.closed then begin
    c.closed <- true;
    tell_all c
  end
