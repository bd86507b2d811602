let limit = Atomic.make 1.

type domain = {
  claimed : bool Atomic.t;
  over : bool Atomic.t;
  waiting : Parker.t list Atomic.t; (* of the callers that wait *)
  is_own : bool;
  id : int Atomic.t; (* of an own domain that has begun: its [Domain.self]; else -1 *)
}

let make ~is_own =
  {
    claimed = Atomic.make false;
    over = Atomic.make false;
    waiting = Atomic.make [];
    is_own;
    id = Atomic.make (-1);
  }

let rec update list f =
  let was = Atomic.get list in
  if not (Atomic.compare_and_set list was (f was)) then update list f

(* The domains that are not over, and perhaps some that are. *)
let all = Atomic.make []
let ending = Atomic.make false
let is_ending () = Atomic.get ending

(* Each domain that is over unparks it. *)
let over_parker = Parker.create ~interruptible:false

let note_over d =
  Atomic.set d.claimed true;
  Atomic.set d.over true;
  Parker.unpark over_parker

let add d = update all (fun others -> d :: List.filter (fun other -> not (Atomic.get other.over)) others)

(* --- domains --- *)

let of_outsider () =
  let d = make ~is_own:false in
  (* It is called before older ones of this domain: [run] notes the end itself. *)
  Domain.at_exit (fun () -> if not (Atomic.get d.claimed) then note_over d);
  add d;
  d

let key = Domain.DLS.new_key of_outsider
let here () = Domain.DLS.get key

let own () =
  let d = make ~is_own:true in
  add d;
  d

let give_up = note_over
let self () = (Domain.self () :> int)

let begin_own d =
  Atomic.set d.id (self ());
  Domain.DLS.set key d;
  Domain.at_exit (fun () -> note_over d)

let is_here d = Atomic.get d.id = self ()

(* No DLS: a signal's handler may run in a domain of the program's before that has any, and would crash it. *)
let is_own () = List.exists is_here (Atomic.get all)

let attempt ~where f =
  try f () with exn -> Say.line "a function of Domain.at_exit raised%s: %s" where (Printexc.to_string exn)

(* If one of them raises, the function that notes the end is not called. Printed before: nobody waits for
   this domain afterwards. *)
let run ~where =
  let d = here () in
  if not (Atomic.exchange d.claimed true) then begin
    attempt ~where !Stdlib.do_domain_local_at_exit;
    note_over d
  end

(* --- callers --- *)

let[@inline] are_due () = Atomic.get ending && not (Atomic.get (here ()).claimed)

let run_all () =
  attempt ~where:"" Format.print_flush;
  attempt ~where:"" (fun () -> Format.eprintf "@?");
  run ~where:""

let run_if_due () = if are_due () then run_all ()

let while_waiting parker f =
  let d = here () in
  let remove () = update d.waiting (List.filter (fun other -> other != parker)) in
  update d.waiting (List.cons parker);
  let finally () =
    run_if_due ();
    remove ()
  in
  Fun.protect ~finally f

(* --- the end --- *)

let now () = float_of_int (Timer_thread.now ()) *. 1e-9
let tellers = Atomic.make []
let on_exit tell = update tellers (List.cons tell)
let is_waited_for d = (not (Atomic.get d.over)) && (d.is_own || Atomic.get d.waiting <> [])

let finish () =
  let d = here () in
  (* Called already by [exit]; unless it was called by a fiber that has come to another domain since. *)
  if not (Atomic.get d.claimed) then run_all ();
  Atomic.set ending true;
  List.iter (fun tell -> try tell () with _ -> ()) (Atomic.get tellers);
  let others = List.filter (fun other -> other != d) (Atomic.get all) in
  List.iter (fun other -> List.iter Parker.unpark (Atomic.get other.waiting)) others;
  let deadline = now () +. Atomic.get limit in
  let rec wait () =
    let left = deadline -. now () in
    if left > 0. && List.exists is_waited_for others then begin
      (* A caller that no longer waits unparks nobody. *)
      ignore (Parker.park_for over_parker (Float.min left 0.01));
      wait ()
    end
  in
  wait ()

(* So that in the program's first domain our function is the first. *)
let () = ignore (here () : domain)
