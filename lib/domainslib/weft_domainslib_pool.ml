type state = Open | Closing | Torn_down

type t = {
  weft : Pools.t;
  name : string option;
  is_empty : bool; (* no domains of its own *)
  state : state Atomic.t;
  kept : Job.task list Atomic.t; (* tasks of an empty pool that were started from outside, youngest first *)
}

let refuse () = invalid_arg "pool already torn down"

(* --- names --- *)

(* In domainslib several pools may have the same name; in Weft they may not. *)
let named : (string, t) Hashtbl.t = Hashtbl.create 8
let named_lock = Mutex.create ()
let publish p = Option.iter (fun name -> Mutex.protect named_lock (fun () -> Hashtbl.add named name p)) p.name
let lookup name = Mutex.protect named_lock (fun () -> Hashtbl.find_opt named name)

(* The others of that name stay, in their order. *)
let forget p =
  let forget_name name =
    let all = Hashtbl.find_all named name in
    List.iter (fun _ -> Hashtbl.remove named name) all;
    List.iter (fun other -> if other != p then Hashtbl.add named name other) (List.rev all)
  in
  Option.iter (fun name -> Mutex.protect named_lock (fun () -> forget_name name)) p.name

(* --- making --- *)

let setup ~who ?name n =
  let domains = Int.min n (max_int - 1) + 1 in
  let create ?name () = Pools.create ?name ~domains ~caller:true who in
  (* The name of the pool in Weft is for messages only. *)
  let weft = try create ?name () with Invalid_argument _ -> create () in
  let p = { weft; name; is_empty = n = 0; state = Atomic.make Open; kept = Atomic.make [] } in
  publish p;
  p

let domains p = Pools.domains p.weft

(* --- using --- *)

let[@inline] is_here p =
  let deque = Deque_memory.current () in
  deque != Deque_memory.nowhere () && (Worker.of_deque deque).parts == p.weft.parts

let[@inline] check p = if Atomic.get p.state == Torn_down then refuse ()
let check_from_outside p = if Atomic.get p.state != Open then refuse ()

(* Another thread may do the same at this time: each task is handed over once. *)
let hand_over p =
  match Atomic.exchange p.kept [] with
  | [] -> ()
  | youngest_first ->
      List.iter (External_slot.queue p.weft) (List.rev youngest_first);
      External_slot.find_somebody p.weft

let has_kept p = Atomic.get p.kept != []

let run ~who p f =
  check p;
  if is_here p then f ()
  else begin
    check_from_outside p;
    let f () =
      if has_kept p then hand_over p;
      f ()
    in
    Pools.run p.weft f who
  end

let rec keep p task =
  let before = Atomic.get p.kept in
  if not (Atomic.compare_and_set p.kept before (task :: before)) then keep p task

let start ~who p f =
  check_from_outside p;
  if p.is_empty then begin
    let j = Job.task (Locals.spawn_context ()) f in
    keep p (Job.T j);
    (* If a thread enters after this look, it finds the task. *)
    if p.weft.slot_taken then hand_over p;
    j
  end
  else Pools.async p.weft f who

(* --- tearing down --- *)

(* So that the next call can go on. *)
let reopen p exn =
  let backtrace = Printexc.get_raw_backtrace () in
  Atomic.set p.state Open;
  Printexc.raise_with_backtrace exn backtrace

let close ~who p () =
  (* Tasks that are still kept must run, too. *)
  (match
     hand_over p;
     Shutdown.close p.weft who
   with
  | () -> ()
  | exception exn (* of a signal's handler *) -> reopen p exn);
  forget p;
  Atomic.set p.state Torn_down

let teardown ~who p =
  if not (Atomic.compare_and_set p.state Open Closing) then refuse ();
  if is_here p then try Shutdown.apart p.weft (close ~who p) with exn -> reopen p exn else close ~who p ()
