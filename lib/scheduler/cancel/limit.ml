(* Each entry of the queue is called when there is room, and answers whether it uses it. *)
type refused = Again of (unit -> bool) | Heir of (unit -> bool)
type queued = refused Wait_queue.node
type t = { max : int; lock : Lock.t; mutable running : int; refused : refused Wait_queue.t }

let make max = { max; lock = Lock.create (); running = 0; refused = Wait_queue.create () }
let room l = l.max
let[@inline never] running l = l.running
let key : t list Bindings.key = Bindings.key ()
let[@inline] of_bindings b = if Bindings.is_empty b then [] else Bindings.find key ~default:[] b
let bind l b = Bindings.add key (l :: of_bindings b) b
let wanted_key : t list Bindings.key = Bindings.key ()
let want l b = Bindings.add wanted_key [ l ] b

(* --- one limit --- *)

type entry = Entered | Queued | Unwanted

let always () = true

let enter_or_stand l node ~wanted =
  Lock.protect l.lock @@ fun () ->
  if l.running >= l.max then begin
    Wait_queue.add l.refused node;
    Queued
  end
  else if wanted () then begin
    l.running <- l.running + 1;
    Entered
  end
  else Unwanted

let enter_as_heir l heir =
  let node = Wait_queue.node (Heir heir) in
  if enter_or_stand l node ~wanted:always = Entered then None else Some node

let give_up l node = Lock.protect l.lock (fun () -> Wait_queue.remove node)

(* Under the lock: takes as many from the queue as there is room for, the first first. [agains] of those in
   [called] will come and ask again. *)
let rec call_first l called agains =
  match Wait_queue.first l.refused with
  | Some node when l.running + agains < l.max ->
      let refused = Wait_queue.contents node in
      Wait_queue.remove node;
      let agains =
        match refused with
        | Again _ -> agains + 1
        | Heir _ ->
            l.running <- l.running + 1;
            agains
      in
      call_first l (refused :: called) agains
  | Some _ | None -> List.rev called

(* Calls as many as there is room for. [leaves]: including the caller's own room, which it leaves. *)
let rec call_next l ~leaves =
  let called =
    Lock.protect l.lock (fun () ->
        if leaves then l.running <- l.running - 1;
        call_first l [] 0)
  in
  List.iter (call l) called

(* Calls one entry; if it does not use the room, the next is called. An heir has been given the room already. *)
and call l = function
  | Again again -> if not (again ()) then call_next l ~leaves:false
  | Heir heir -> if not (heir ()) then call_next l ~leaves:true

let leave_one l = call_next l ~leaves:true

(* --- all around a fiber --- *)

let leave limits = List.iter leave_one limits
let pass_on l = call_next l ~leaves:false

(* The outermost limit first: while a fiber waits for room further in, it holds none further out. *)
let enter_if limits ~wanted ~again =
  let rec go entered = function
    | [] -> Entered
    | l :: further_in -> (
        let wanted = if further_in = [] then wanted else always in
        match enter_or_stand l (Wait_queue.node (Again again)) ~wanted with
        | Entered -> go (l :: entered) further_in
        | (Queued | Unwanted) as entry ->
            leave entered;
            List.iter pass_on (if entry = Queued then further_in else [ l ]);
            entry)
  in
  match limits with [] -> Entered | limits -> go [] (List.rev limits)

let enter limits ~again = enter_if limits ~wanted:always ~again = Entered

let pass_on_wanted b =
  if not (Bindings.is_empty b) then List.iter pass_on (Bindings.find wanted_key ~default:[] b)

let force limits = List.iter (fun l -> Lock.protect l.lock (fun () -> l.running <- l.running + 1)) limits
