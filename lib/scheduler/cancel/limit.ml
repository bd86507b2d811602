(* Whoever stands in line is called, and answers whether the call is used. *)
type refused = Again of (unit -> bool) | Heir of (unit -> bool)
type place = refused Wait_queue.place
type t = { max : int; lock : Lock.t; mutable running : int; refused : refused Wait_queue.t }

let make max = { max; lock = Lock.create (); running = 0; refused = Wait_queue.create () }
let room a = a.max
let running a = a.running
let key : t list Bindings.key = Bindings.key ()
let[@inline] of_bindings b = if Bindings.is_empty b then [] else Bindings.find key ~default:[] b
let bind a b = Bindings.add key (a :: of_bindings b) b
let wanted_key : t list Bindings.key = Bindings.key ()
let want a b = Bindings.add wanted_key [ a ] b

(* --- one arena --- *)

let enter_or_stand a place =
  Lock.protect a.lock @@ fun () ->
  let enters = a.running < a.max in
  if enters then a.running <- a.running + 1 else Wait_queue.add a.refused place;
  enters

let enter_one a ~again = enter_or_stand a (Wait_queue.place (Again again))

let enter_as_heir a heir =
  let place = Wait_queue.place (Heir heir) in
  if enter_or_stand a place then None else Some place

let give_up a place = Lock.protect a.lock (fun () -> Wait_queue.remove place)
let is_heir place = match Wait_queue.contents place with Heir _ -> true | Again _ -> false

(* Under the lock: as many as there is room for, first come, first served; [agains] of those in [called] will come and ask. *)
let rec call_first a called agains =
  match Wait_queue.first a.refused with
  | Some place when a.running + agains < a.max ->
      let heir = is_heir place and now = place :: !called in
      (* No safepoint. *)
      called := now;
      if heir then a.running <- a.running + 1;
      Wait_queue.remove place;
      call_first a called (if heir then agains else agains + 1)
  | Some _ | None -> ()

let count_agains called = List.length (List.filter (fun place -> not (is_heir place)) called)

let rec leave_one a = call_next a ~leaves:true

(* Calls as many as there is room for; [leaves]: the caller's own, which it leaves. *)
and call_next a ~leaves =
  let called = ref [] and left = ref (not leaves) and to_call = ref [] and all_called = ref false in
  Interrupt.complete (fun () ->
      if not !all_called then begin
        Lock.protect a.lock (fun () ->
            if not !left then begin
              a.running <- a.running - 1;
              left := true
            end;
            call_first a called (count_agains !called));
        to_call := List.rev !called;
        all_called := true
      end;
      call_all a to_call)

and call_all a to_call =
  match !to_call with
  | [] -> ()
  | place :: rest ->
      to_call := rest;
      call a (Wait_queue.contents place);
      call_all a to_call

(* To an heir the room has been given, which is the next one's if he has no use for it. *)
and call a refused =
  let answer, heir = match refused with Again again -> (again, false) | Heir heir -> (heir, true) in
  let used = ref false in
  match Interrupt.complete (fun () -> used := answer ()) with
  | () -> if not !used then call_next a ~leaves:heir
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      if not !used then call_next a ~leaves:heir;
      Printexc.raise_with_backtrace exn backtrace

(* --- all around a fiber --- *)

let leave arenas = List.iter leave_one arenas

(* The outermost first: who waits for room further in keeps none further out. *)
let enter arenas ~again =
  let rec go entered = function
    | [] -> true
    | a :: further_in ->
        if enter_one a ~again then go (a :: entered) further_in
        else begin
          leave entered;
          List.iter (fun a -> call_next a ~leaves:false) further_in;
          false
        end
  in
  match arenas with [] -> true | arenas -> go [] (List.rev arenas)

let pass_on a = call_next a ~leaves:false

let pass_on_wanted b =
  if not (Bindings.is_empty b) then List.iter pass_on (Bindings.find wanted_key ~default:[] b)

let force arenas = List.iter (fun a -> Lock.protect a.lock (fun () -> a.running <- a.running + 1)) arenas
