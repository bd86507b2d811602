type crowd = { lock : Lock.t; line : unit Waiter.t Wait_queue.t }
type 'a state = Empty | Awaited of crowd | Full of 'a
type 'a t = 'a state Atomic.t

let create () = Atomic.make Empty
let full v = Atomic.make (Full v)
let peek d = match Atomic.get d with Full v -> Some v | Empty | Awaited _ -> None

(* --- putting --- *)

let rec wake_all line =
  match Wait_queue.take line with
  | None -> ()
  | Some cell ->
      ignore (Waiter.wake cell () : bool);
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

let rec wait ?timeout ~what d =
  match Atomic.get d with
  | Full v ->
      Poll.pass_within ~what timeout;
      v
  | Empty ->
      let crowd = { lock = Lock.create (); line = Wait_queue.create () } in
      ignore (Atomic.compare_and_set d Empty (Awaited crowd));
      wait ?timeout ~what d
  | Awaited crowd as was ->
      wait_in ?timeout ~what ~unless:(fun () -> Atomic.get d != was) crowd;
      wait ?timeout ~what d

(* Returns once the place is full. *)
and wait_in ?timeout ~what ~unless crowd =
  let cell = Waiter.create () in
  let place = Wait_queue.place cell in
  let join () =
    let joins = not (unless ()) in
    if joins then Wait_queue.add crowd.line place;
    joins
  and leave () = Lock.protect crowd.lock (fun () -> Wait_queue.remove place) in
  if Lock.protect crowd.lock join then Waiter.await ?timeout ~what ~leave cell
