type t = { mutex : Mutex.t; soon : (unit -> unit) list Atomic.t }

let create () = { mutex = Mutex.create (); soon = Atomic.make [] }

let rec take_one l =
  match Atomic.get l.soon with
  | [] -> ignore
  | f :: rest as was -> if Atomic.compare_and_set l.soon was rest then f else take_one l

(* A thread that adds work and then fails to take the lock leaves the work to the holder, who looks after
   unlocking: either that look comes after the adding, or the taking comes after the unlocking. *)
let rec work_off l =
  if Atomic.get l.soon <> [] && Mutex.try_lock l.mutex then begin
    Fun.protect ~finally:(fun () -> Mutex.unlock l.mutex) (take_one l);
    work_off l
  end

(* With the mutex held. The holder before may have unlocked, and not worked off yet. *)
let rec work_through l =
  if Atomic.get l.soon <> [] then begin
    take_one l ();
    work_through l
  end

let protect l f =
  Stack_room.(ensure step);
  Mutex.lock l.mutex;
  match
    work_through l;
    f ()
  with
  | v ->
      Mutex.unlock l.mutex;
      work_off l;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Mutex.unlock l.mutex;
      work_off l;
      Printexc.raise_with_backtrace exn backtrace

let rec add l f =
  let was = Atomic.get l.soon in
  if not (Atomic.compare_and_set l.soon was (f :: was)) then add l f

let do_soon l f =
  Stack_room.(ensure step);
  add l f;
  work_off l
