(* Under the lock: [queue] holds the [arrived] participants of this round, [arrived < parties]. *)
type participant = { waiter : int Waiter.t; mutable index : int  (** in a complete round; else -1 *) }
type t = { parties : int; lock : Lock.t; queue : participant Wait_queue.t; mutable arrived : int }

let create parties =
  if parties < 1 then invalid_arg (Printf.sprintf "Weft.Barrier.create: %d participants" parties);
  { parties; lock = Lock.create (); queue = Wait_queue.create (); arrived = 0 }

(* The round is complete. *)
let rec let_go b ~next =
  match Wait_queue.take b.queue with
  | None -> b.arrived <- 0
  | Some p ->
      p.index <- next;
      ignore (Waiter.wake p.waiter next : bool);
      let_go b ~next:(next + 1)

let arrive b node () =
  let last = b.arrived = b.parties - 1 in
  if last then let_go b ~next:0
  else begin
    Wait_queue.add b.queue node;
    b.arrived <- b.arrived + 1
  end;
  last

let leave b node () =
  Lock.protect b.lock (fun () ->
      if Wait_queue.is_queued node then begin
        Wait_queue.remove node;
        b.arrived <- b.arrived - 1
      end)

let wait ?timeout b =
  let what = "Weft.Barrier.wait" in
  Poll.checkpoint_within ~what timeout;
  let p = { waiter = Waiter.create (); index = -1 } in
  let node = Wait_queue.node p in
  match
    if Lock.protect b.lock (arrive b node) then b.parties - 1
    else Waiter.await ?timeout ~what ~leave:(leave b node) p.waiter
  with
  | index -> index
  | exception (Context.Cancelled _ | Context.Timeout) when p.index >= 0 ->
      (* It was about to give up, but the round is complete. *)
      p.index
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave b node ();
      Printexc.raise_with_backtrace exn backtrace
