type t = { mutex : Mutex.t; soon : (unit -> unit) list Atomic.t; mutable work : unit -> unit }

let rec take_one l =
  match Atomic.get l.soon with
  | [] -> ignore
  | f :: rest as was -> if Atomic.compare_and_set l.soon was rest then f else take_one l

(* Whoever adds work and then fails to take the lock leaves it to the holder, who looks after unlocking: either the holder's
   look comes after the adding, or the taking comes after the unlocking. No safepoint between the unlocking and that: what an
   exception left undone there, nobody would do. *)
let[@inline] work_off l = if Atomic.get l.soon <> [] then Interrupt.complete l.work

(* What ends it by an exception has ended: [work_off] goes on with the rest. *)
let rec work l () =
  if Atomic.get l.soon <> [] && Mutex.try_lock l.mutex then begin
    match Interrupt.complete (take_one l) with
    | () ->
        Mutex.unlock l.mutex;
        work l ()
    | exception exn ->
        Mutex.unlock l.mutex;
        Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())
  end

let create () =
  let l = { mutex = Mutex.create (); soon = Atomic.make []; work = ignore } in
  l.work <- work l;
  l

let protect l f =
  Mutex.lock l.mutex;
  match f () with
  | v ->
      Mutex.unlock l.mutex;
      work_off l;
      v
  | exception exn ->
      Mutex.unlock l.mutex;
      (* No safepoint: C code allocates it. *)
      let backtrace = Printexc.get_raw_backtrace () in
      work_off l;
      Printexc.raise_with_backtrace exn backtrace

let rec add l f =
  let was = Atomic.get l.soon in
  if not (Atomic.compare_and_set l.soon was (f :: was)) then add l f

let do_soon l f =
  add l f;
  work_off l
