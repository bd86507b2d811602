type entry = {
  mutable before : entry;
  mutable after : entry;
  source : bool;
  what : string;
  cancel : exn -> unit;
}

(* The ring's first entry is the list itself. *)
type t = { lock : Lock.t; head : entry; mutable sources : int }

let linked e = e.after != e

let entry ~source ~what cancel =
  let rec e = { before = e; after = e; source; what; cancel } in
  e

let create () = { lock = Lock.create (); head = entry ~source:false ~what:"" ignore; sources = 0 }
let no_entry = entry ~source:false ~what:"" ignore

let add s e =
  Lock.protect s.lock @@ fun () ->
  e.before <- s.head.before;
  e.after <- s.head;
  e.before.after <- e;
  s.head.before <- e;
  if e.source then s.sources <- s.sources + 1

let remove s e =
  if e != no_entry then
    (* Also called by resolvers in signal handlers. *)
    Lock.do_soon s.lock @@ fun () ->
    if linked e then begin
      e.before.after <- e.after;
      e.after.before <- e.before;
      e.before <- e;
      e.after <- e;
      if e.source then s.sources <- s.sources - 1
    end

let is_empty s = Lock.protect s.lock @@ fun () -> not (linked s.head)
let has_sources s = Lock.protect s.lock @@ fun () -> s.sources > 0

let waits s =
  Lock.protect s.lock @@ fun () ->
  let rec collect e found = if e == s.head then found else collect e.before (e.what :: found) in
  collect s.head.before []

let to_cancel s =
  Lock.protect s.lock @@ fun () ->
  let rec collect e found =
    if e == s.head then found
    else collect e.before (if e.source || s.sources = 0 then e.cancel :: found else found)
  in
  collect s.head.before []

(* Outside the lock: a cancelled fiber takes itself off the list. *)
let cancel_some s exn = List.iter (fun cancel -> cancel exn) (to_cancel s)
