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

(* [listed]: the entries of fibers, with their stacks. Each holder is looked for once. *)
let holders listed =
  let found = ref [] in
  let look owner =
    match List.find_opt (fun (other, _) -> Suspended_fibers.is_of other owner) listed with
    | Some (e, stack) -> Waiting { waits_for = Suspended_fibers.what e; name = name e; stack }
    | None -> Running
  in
  let who owner =
    if Owner_id.is_int owner then Thread
    else
      match List.assq_opt owner !found with
      | Some holder -> holder
      | None ->
          let holder = look owner in
          found := (owner, holder) :: !found;
          holder
  in
  fun e -> Option.map who ((Suspended_fibers.about e).holder ())

let fibers pools =
  let now, time = both_clocks () in
  let tick = seconds_per_tick now time in
  let of_pool (p : Pool_state.t) =
    let suspended = p.parts.home.suspended in
    let with_stack e = Option.map (fun stack -> (e, stack)) (Suspended_fibers.stack suspended e) in
    let listed = List.filter_map with_stack (Suspended_fibers.waits suspended) in
    (* A worker that has looked for a deadlock while a stack was read has found none: it looks again. *)
    if p.roots <> [] then Pool_state.unpark_all p;
    (p.name, listed)
  in
  let by_pool = List.map of_pool pools in
  let holder = holders (List.concat_map snd by_pool) in
  let fiber pool (e, stack) =
    let seconds = Float.max 0. (tick *. float_of_int (now - Suspended_fibers.since e)) in
    { pool; waits_for = Suspended_fibers.what e; name = name e; held_by = holder e; seconds; stack }
  in
  List.concat_map (fun (pool, listed) -> List.map (fiber pool) listed) by_pool
  |> List.stable_sort (fun a b -> Float.compare b.seconds a.seconds)

let counted names =
  let counts = Hashtbl.create 16 in
  let add name = Hashtbl.replace counts name (1 + Option.value (Hashtbl.find_opt counts name) ~default:0) in
  List.iter add names;
  List.sort
    (fun (a, n) (b, m) -> if n <> m then Int.compare m n else String.compare a b)
    (List.of_seq (Hashtbl.to_seq counts))
