(* Under the lock: while there is a value nobody waits for one, and while there is none nobody waits to
   put; except waiters that have given up and not left yet, which are closed. *)
type 'a t = {
  lock : Lock.t;
  mutable value : 'a option;
  takers : ('a -> bool) Wait_queue.t; (* [false]: it has given up *)
  readers : ('a -> unit) Wait_queue.t;
  putters : 'a putter Wait_queue.t;
}

and 'a putter = { some : 'a option; accept : unit -> bool  (** [false]: it has given up *) }

let create ?value () =
  {
    lock = Lock.create ();
    value;
    takers = Wait_queue.create ();
    readers = Wait_queue.create ();
    putters = Wait_queue.create ();
  }

(* --- under the lock --- *)

let rec serve_readers m v =
  match Wait_queue.take m.readers with
  | None -> ()
  | Some show ->
      show v;
      serve_readers m v

(* Whether a waiter has taken [v]. *)
let rec hand_over m v =
  match Wait_queue.take m.takers with None -> false | Some give -> give v || hand_over m v

(* [m] is empty. [some] is [Some v]. *)
let fill m v some =
  serve_readers m v;
  if not (hand_over m v) then m.value <- some

(* The value has been taken: the next waiting put fills the place. *)
let rec refill m =
  match Wait_queue.take m.putters with
  | None -> m.value <- None
  | Some p -> if p.accept () then m.value <- p.some else refill m

let put_now m v some () =
  let empty = Option.is_none m.value in
  if empty then fill m v some;
  empty

let take_now m () =
  let v = m.value in
  if Option.is_some v then refill m;
  v

(* [v] has been handed to a taker that cannot return it. *)
let give_back m v =
  let some = Some v in
  let first = Wait_queue.node { some; accept = (fun () -> true) } in
  if not (put_now m v some ()) then Wait_queue.add_first m.putters first

(* --- waiting --- *)

(* [now ()] does it at once if it can; else the caller is queued. *)
let now_or_wait ?timeout ~what ~now ~lost m queue contents waiter =
  let node = Wait_queue.node contents in
  let leave () = Lock.protect m.lock (fun () -> Wait_queue.remove node) in
  let now_or_join () =
    let v = now () in
    if Option.is_none v then Wait_queue.add queue node;
    v
  in
  match Lock.protect m.lock now_or_join with
  | Some v -> v
  | None -> Waiter.await ?timeout ~what ~leave ~lost waiter

(* --- what there is to do --- *)

let try_put m v =
  let some = Some v in
  Lock.protect m.lock (put_now m v some)

let try_take m = Lock.protect m.lock (take_now m)
let try_read m = Lock.protect m.lock (fun () -> m.value)

let put ?timeout m v =
  let what = "Weft.Mvar.put" in
  Poll.checkpoint_within ~what timeout;
  let some = Some v in
  if not (Lock.protect m.lock (put_now m v some)) then
    let waiter = Waiter.create () in
    let now () = if put_now m v some () then Some () else None in
    now_or_wait ?timeout ~what ~now ~lost:ignore m m.putters { some; accept = Waiter.wake waiter } waiter

let take ?timeout m =
  let what = "Weft.Mvar.take" in
  Poll.checkpoint_within ~what timeout;
  match try_take m with
  | Some v -> v
  | None ->
      let waiter = Waiter.create () in
      let lost v = Lock.protect m.lock (fun () -> give_back m v) in
      now_or_wait ?timeout ~what ~now:(take_now m) ~lost m m.takers (Waiter.wake waiter) waiter

let read ?timeout m =
  let what = "Weft.Mvar.read" in
  Poll.checkpoint_within ~what timeout;
  match try_read m with
  | Some v -> v
  | None ->
      let waiter = Waiter.create () in
      now_or_wait ?timeout ~what
        ~now:(fun () -> m.value)
        ~lost:ignore m m.readers
        (fun v -> ignore (Waiter.wake waiter v : bool))
        waiter

module Private = struct
  type entry = { add : unit -> unit; remove : unit -> unit }

  let entry m node add =
    {
      add = (fun () -> Lock.protect m.lock add);
      remove = (fun () -> Lock.protect m.lock (fun () -> Wait_queue.remove node));
    }

  let take m give =
    let node = Wait_queue.node give in
    entry m node (fun () ->
        match m.value with None -> Wait_queue.add m.takers node | Some v -> if give v then refill m)

  let put m v accept =
    let some = Some v in
    let node = Wait_queue.node { some; accept } in
    entry m node (fun () ->
        if Option.is_some m.value then Wait_queue.add m.putters node else if accept () then fill m v some)

  let read m show =
    let node = Wait_queue.node show in
    entry m node (fun () -> match m.value with None -> Wait_queue.add m.readers node | Some v -> show v)

  let give_back m v = Lock.protect m.lock (fun () -> give_back m v)
end
