type t = { mutex : Mutex.t; soon : (unit -> unit) list Atomic.t }

let create () = { mutex = Mutex.create (); soon = Atomic.make [] }

(* Whoever adds work and then fails to take the lock leaves it to the holder, who looks after unlocking: either the holder's
   look comes after the adding, or the taking comes after the unlocking. *)
let rec work_off l =
  if Atomic.get l.soon <> [] && Mutex.try_lock l.mutex then begin
    let fs = Atomic.exchange l.soon [] in
    List.iter (fun f -> f ()) (List.rev fs);
    Mutex.unlock l.mutex;
    work_off l
  end

let protect l f =
  Mutex.lock l.mutex;
  match f () with
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
  add l f;
  work_off l
