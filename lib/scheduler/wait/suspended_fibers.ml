type entry = {
  mutable before : entry;
  mutable after : entry;
  source : bool;
  what : string;
  about : Trace_hooks.about;
  fiber : Owner_id.t;
  since : int;
  stack : unit -> Printexc.raw_backtrace option;
  cancel : exn -> unit;
}

let no_frames = Printexc.get_callstack 0

let stack_of claim continuation =
  match Claim.read claim (fun () -> try Effect.Deep.get_callstack continuation 64 with _ -> no_frames) with
  | Some _ as stack -> stack
  | None -> if Claim.is_taken claim then None else Some no_frames

(* The ring's first entry is the list itself. *)
type t = {
  lock : Lock.t;
  head : entry;
  mutable sources : int;
  holds : int Atomic.t;
  queued : int Atomic.t;
  reads_begun : int Atomic.t;
  reads_ended : int Atomic.t;
}

let nobody = Owner_id.of_int min_int

(* Also the neighbour of entries that are in no list: a record that refers to itself costs much more to
   make. *)
let rec no_entry =
  {
    before = no_entry;
    after = no_entry;
    source = false;
    what = "";
    about = Trace_hooks.nothing;
    fiber = nobody;
    since = 0;
    stack = no_stack;
    cancel = ignore;
  }

and no_stack () = None

let linked e = e.after != no_entry

let entry ~source ~what ?(about = Trace_hooks.nothing) ?(fiber = nobody) ~stack cancel =
  { before = no_entry; after = no_entry; source; what; about; fiber; since = Tsc.now (); stack; cancel }

let create () =
  let head = { no_entry with what = "" } in
  head.before <- head;
  head.after <- head;
  let zero () = Atomic.make 0 in
  {
    lock = Lock.create ();
    head;
    sources = 0;
    holds = zero ();
    queued = zero ();
    reads_begun = zero ();
    reads_ended = zero ();
  }

let add s e =
  Lock.protect s.lock @@ fun () ->
  e.before <- s.head.before;
  e.after <- s.head;
  e.before.after <- e;
  s.head.before <- e;
  if e.source then s.sources <- s.sources + 1

let remove s e =
  if e != no_entry then
    (* Signal handlers and finalisers that resolve promises call this, too. *)
    Lock.do_soon s.lock @@ fun () ->
    if linked e then begin
      e.before.after <- e.after;
      e.after.before <- e.before;
      e.before <- no_entry;
      e.after <- no_entry;
      if e.source then s.sources <- s.sources - 1
    end

let hold s = ignore (Atomic.fetch_and_add s.holds 1)
let release s = ignore (Atomic.fetch_and_add s.holds (-1))

let hold_once s =
  let held = Atomic.make true in
  let let_go () =
    if Atomic.exchange held false then begin
      ignore (Atomic.fetch_and_add s.queued (-1));
      release s
    end
  in
  hold s;
  ignore (Atomic.fetch_and_add s.queued 1);
  let_go

let queued s = Atomic.get s.queued
let is_held s = Atomic.get s.holds > 0
let is_empty s = (not (is_held s)) && Lock.protect s.lock @@ fun () -> s.head.after == s.head
let has_sources s = Lock.protect s.lock @@ fun () -> s.sources > 0
let what e = e.what
let about e = e.about
let is_of e fiber = e.fiber == fiber
let since e = e.since
let cancel e = e.cancel

let stack s e =
  Atomic.incr s.reads_begun;
  let stack = e.stack () in
  Atomic.incr s.reads_ended;
  stack

let with_no_read s f =
  let ended = Atomic.get s.reads_ended in
  f () && Atomic.get s.reads_begun = ended

let waits s =
  Lock.protect s.lock @@ fun () ->
  let rec collect e found = if e == s.head then found else collect e.before (e :: found) in
  collect s.head.before []

let to_cancel ?(all = false) s =
  Lock.protect s.lock @@ fun () ->
  let rec collect e found =
    if e == s.head then found
    else collect e.before (if all || e.source || s.sources = 0 then e.cancel :: found else found)
  in
  (* A fiber holds before it is listed: if a listed fiber holds, it is seen. *)
  if is_held s then [] else collect s.head.before []

(* Outside the lock, since a cancelled fiber takes itself off the list. *)
let cancel_some s exn = List.iter (fun cancel -> cancel exn) (to_cancel s)
let cancel_all s exn = List.iter (fun cancel -> cancel exn) (to_cancel ~all:true s)
