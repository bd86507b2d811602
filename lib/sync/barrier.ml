(* Under the lock: [line] holds the [arrived] participants of this round, [arrived < parties]. *)
type participant = { cell : int Waiter.t; mutable index : int  (** in a complete round; else -1 *) }
type t = { parties : int; lock : Lock.t; line : participant Wait_queue.t; mutable arrived : int }

let create parties =
  if parties < 1 then invalid_arg (Printf.sprintf "Weft.Barrier.create: %d participants" parties);
  { parties; lock = Lock.create (); line = Wait_queue.create (); arrived = 0 }

(* The round is complete. *)
let rec let_go b ~next =
  match Wait_queue.take b.line with
  | None -> b.arrived <- 0
  | Some p ->
      p.index <- next;
      ignore (Waiter.wake p.cell next : bool);
      let_go b ~next:(next + 1)

let arrive b place () =
  let last = b.arrived = b.parties - 1 in
  if last then let_go b ~next:0
  else begin
    Wait_queue.add b.line place;
    b.arrived <- b.arrived + 1
  end;
  last

let leave b place () =
  Lock.protect b.lock (fun () ->
      if Wait_queue.is_in_line place then begin
        Wait_queue.remove place;
        b.arrived <- b.arrived - 1
      end)

let wait ?timeout b =
  let what = "Weft.Barrier.wait" in
  Option.iter (Timers.check_seconds ~who:what) timeout;
  let p = { cell = Waiter.create (); index = -1 } in
  let place = Wait_queue.place p in
  match
    if Lock.protect b.lock (arrive b place) then b.parties - 1
    else Waiter.await ?timeout ~what ~leave:(leave b place) p.cell
  with
  | index -> index
  | exception (Context.Cancelled _ | Context.Timeout) when p.index >= 0 ->
      (* It was about to give up, but the round is complete. *)
      p.index
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave b place ();
      Printexc.raise_with_backtrace exn backtrace
