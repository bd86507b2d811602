(* Padded, so that the values of two slots are never in one cache line. *)
type 'a slot = Unused | Slot of { mutable value : 'a }

(* [workers] is indexed by the ids of deques, which are unique among live workers. It is replaced under the
   lock when it grows. Slots are put in under the lock too, so none is lost. A worker looks for its own slot
   without the lock: it has put it in itself, or a worker that ended before it has. A thread that reads an old
   array finds its slot there, or looks again under the lock. *)
type 'a t = {
  initial : unit -> 'a;
  lock : Mutex.t;
  mutable workers : 'a slot array;
  mutable threads : (int * 'a slot) list; (* by [Thread.id] *)
}

let create initial =
  Multicore_magic.copy_as_padded { initial; lock = Mutex.create (); workers = [||]; threads = [] }

let id () = Deque_memory.id (Deque_memory.current ())

(* Under the lock. *)
let look_up l id =
  if id < 0 then Option.value (List.assoc_opt (Thread.id (Thread.self ())) l.threads) ~default:Unused
  else if id < Array.length l.workers then l.workers.(id)
  else Unused

(* Under the lock. *)
let put_in l id slot =
  if id < 0 then l.threads <- (Thread.id (Thread.self ()), slot) :: l.threads
  else begin
    let length = Array.length l.workers in
    if id >= length then
      l.workers <- Array.append l.workers (Array.make (max (id + 1 - length) (max 8 length)) Unused);
    l.workers.(id) <- slot
  end

let locked_look_up l = Mutex.protect l.lock (fun () -> look_up l (id ()))

let[@inline never] first_use l =
  match locked_look_up l with
  | Slot _ as slot -> slot
  | Unused -> (
      (* Not under the lock, since it is the user's function. It may move to another worker: so the slot is
         looked up again. *)
      let fresh = Multicore_magic.copy_as_padded (Slot { value = l.initial () }) in
      Mutex.protect l.lock @@ fun () ->
      let id = id () in
      match look_up l id with
      | Slot _ as slot -> slot
      | Unused ->
          put_in l id fresh;
          fresh)

let[@inline] own l =
  let id = id () and workers = l.workers in
  if id >= 0 && id < Array.length workers then
    match Array.unsafe_get workers id with Slot _ as slot -> slot | Unused -> first_use l
  else first_use l

let never () = invalid_arg "Weft: internal error: a slot that is not in use"
let get l = match own l with Slot s -> s.value | Unused -> never ()
let set l v = match own l with Slot s -> s.value <- v | Unused -> never ()
let update l f = match own l with Slot s -> s.value <- f s.value | Unused -> never ()

let fold f b l =
  let slots = Mutex.protect l.lock (fun () -> Array.to_list l.workers @ List.rev_map snd l.threads) in
  List.fold_left (fun b slot -> match slot with Unused -> b | Slot s -> f b s.value) b slots

let reset l =
  Mutex.protect l.lock (fun () ->
      l.workers <- [||];
      l.threads <- [])
