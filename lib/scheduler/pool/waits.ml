type holder =
  | Thread
  | Running
  | Waiting of { waits_for : string; name : string; stack : Printexc.raw_backtrace }

type fiber = {
  pool : string;
  waits_for : string;
  name : string;
  held_by : holder option;
  seconds : float;
  stack : Printexc.raw_backtrace;
}

let both_clocks () = (Tsc.now (), Timer_thread.now ())
let ticks_at_first, time_at_first = both_clocks ()

(* By how far both clocks have moved since the program began. *)
let seconds_per_tick now time =
  let ticks = now - ticks_at_first and passed = time - time_at_first in
  if ticks <= 0 || passed <= 0 then 1e-9 else 1e-9 *. float_of_int passed /. float_of_int ticks

let name e = (Suspended_fibers.about e).name

type listed = {
  pool_name : string;
  suspended : Suspended_fibers.t;
  entry : Suspended_fibers.entry;
  stack_then : Printexc.raw_backtrace;
}

let of_pool (p : Pool_state.t) =
  let suspended = p.parts.home.suspended in
  let with_stack entry =
    Suspended_fibers.stack suspended entry
    |> Option.map (fun stack_then -> { pool_name = p.name; suspended; entry; stack_then })
  in
  List.filter_map with_stack (Suspended_fibers.waits suspended)

(* All mutexes are asked first, then each of their owners is looked for, once. An owner was listed before
   that. If its wait still goes on, it has the mutex and waits; else it may have got the mutex by the end of
   that wait. *)
let with_holders listed =
  let owners = List.map (fun l -> (l, (Suspended_fibers.about l.entry).holder ())) listed in
  let found = ref [] in
  let look owner =
    match List.find_opt (fun l -> Suspended_fibers.is_of l.entry owner) listed with
    | None -> Running
    | Some { suspended; entry; _ } -> (
        match Suspended_fibers.stack suspended entry with
        | None -> Running
        | Some stack -> Waiting { waits_for = Suspended_fibers.what entry; name = name entry; stack })
  in
  let holder owner =
    if Owner_id.is_int owner then Thread
    else
      match List.assq_opt owner !found with
      | Some holder -> holder
      | None ->
          let holder = look owner in
          found := (owner, holder) :: !found;
          holder
  in
  List.map (fun (l, owner) -> (l, Option.map holder owner)) owners

let fibers pools =
  let now, time = both_clocks () in
  let tick = seconds_per_tick now time in
  let fiber ({ pool_name = pool; entry; stack_then = stack; _ }, held_by) =
    let seconds = Float.max 0. (tick *. float_of_int (now - Suspended_fibers.since entry)) in
    { pool; waits_for = Suspended_fibers.what entry; name = name entry; held_by; seconds; stack }
  in
  let found = List.concat_map of_pool pools |> with_holders |> List.map fiber in
  (* A worker that has looked for a deadlock while a stack was read has found none: it looks again. *)
  List.iter (fun (p : Pool_state.t) -> if p.roots <> [] then Pool_state.unpark_all p) pools;
  List.stable_sort (fun a b -> Float.compare b.seconds a.seconds) found

let counted names =
  let counts = Hashtbl.create 16 in
  let add name = Hashtbl.replace counts name (1 + Option.value (Hashtbl.find_opt counts name) ~default:0) in
  List.iter add names;
  List.sort
    (fun (a, n) (b, m) -> if n <> m then Int.compare m n else String.compare a b)
    (List.of_seq (Hashtbl.to_seq counts))
