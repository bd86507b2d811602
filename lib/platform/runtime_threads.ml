external share_address_space : unit -> unit = "weft_share_address_space" [@@noalloc]

let () =
  Ephemerons.hand_on_at_end_of_domains ();
  share_address_space ()

let noted = Atomic.make 0
let note () = Atomic.incr noted
let take_back () = Atomic.decr noted
let count () = Atomic.get noted
let starting = Atomic.make 0
let all_have_numbers () = Atomic.get starting = 0

type domain = {
  name : string;
  exits : Exit_functions.domain;
  has_number : bool Atomic.t;
  ended : (unit, exn) result option Atomic.t;
  mutable handle : unit Domain.t option; (* unknown while it starts *)
}

let domain name =
  {
    name;
    exits = Exit_functions.own ();
    has_number = Atomic.make false;
    ended = Atomic.make None;
    handle = None;
  }

let has_ended d = Option.is_some (Atomic.get d.ended)

(* Or will never have one. *)
let note_number d =
  if not (Atomic.exchange d.has_number true) then begin
    Finalisers.own_domain_starts false;
    Atomic.decr starting
  end

(* OCaml calls the functions of Domain.at_exit once more. *)
exception Have_been_called

let end_it d outcome =
  Exit_functions.run ~where:(Printf.sprintf " in a domain of %s" d.name);
  Stack_cache.free_domain_stacks ();
  Domain.at_exit (fun () -> raise_notrace Have_been_called);
  Atomic.set d.ended (Some outcome)

let run d main () =
  note_number d;
  Exit_functions.begin_own d.exits;
  match main () with
  | () -> end_it d (Ok ())
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_it d (Error exn);
      Printexc.raise_with_backtrace exn backtrace

(* Domain.spawn draws from the spawning thread's generator, to seed that of the new domain. So meanwhile
   the thread has another generator, seeded from a copy of its own and from the domain's number. If a domain
   of ours starts another one, the program did not choose which domain, or when: then the system seeds it. *)
let generator theirs =
  if Exit_functions.is_own () then Random.State.make_self_init ()
  else begin
    let copy = Random.State.copy theirs in
    Random.State.make (Array.init 10 (fun i -> if i = 0 then Atomic.get noted else Random.State.bits copy))
  end

(* --- room for threads --- *)

external is_thread_limit_near : int -> bool = "weft_is_thread_limit_near" [@@noalloc]
external is_room_for_domain : unit -> bool = "weft_is_room_for_domain" [@@noalloc]

let is_limit_near () = is_thread_limit_near (Option.value (Machine.limits ()).threads ~default:max_int)
let starts = Mutex.create ()

(* No thread of ours starts between the look for room and the start of a domain's last thread. *)
let exclusively f =
  Mutex.lock starts;
  match f () with
  | started ->
      Mutex.unlock starts;
      started
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Mutex.unlock starts;
      Printexc.raise_with_backtrace exn backtrace

let rec await_begin d parker =
  if not (Atomic.get d.has_number) then begin
    ignore (Parker.park_for parker 0.000_02);
    await_begin d parker
  end

let spawn d main ~then_ =
  let theirs = Random.get_state () in
  let for_it = generator theirs in
  note ();
  Atomic.incr starting;
  Finalisers.own_domain_starts true;
  Random.set_state for_it;
  match Domain.spawn (run d main) with
  | handle ->
      d.handle <- Some handle;
      Random.set_state theirs;
      then_ ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Random.set_state theirs;
      Exit_functions.give_up d.exits;
      (* No number was used. *)
      note_number d;
      take_back ();
      Printexc.raise_with_backtrace exn backtrace

(* If OCaml 5.3 gets the first thread of a domain and not its second, the new domain raises where nobody
   handles it, and crashes. Once the domain runs, it has its second thread. *)
let spawn_if_room d main =
  let parker = Parker.create ~interruptible:false in
  let then_ () = await_begin d parker in
  exclusively (fun () ->
      if not (is_room_for_domain ()) then failwith "the system has no room for its threads";
      spawn d main ~then_)

let start d main =
  (* [Domain.spawn] allocates after the domain has begun. *)
  Finalisers.within (fun () -> if is_limit_near () then spawn_if_room d main else spawn d main ~then_:ignore)

let start_thread create =
  let create () =
    note ();
    create ()
  in
  if is_limit_near () then exclusively create else create ()

let rec await_end d parker =
  match Atomic.get d.ended with
  | Some (Ok ()) -> ()
  | Some (Error exn) -> raise exn
  | None ->
      ignore (Parker.park_for parker 0.001);
      await_end d parker

let join d =
  if not (Exit_functions.is_here d.exits) then
    match d.handle with
    | Some handle -> ( try Domain.join handle with Have_been_called -> ())
    | None -> await_end d (Parker.create ~interruptible:true)
