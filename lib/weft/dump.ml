type holder = Waits.holder =
  | Thread
  | Running
  | Waiting of { waits_for : string; name : string; stack : Printexc.raw_backtrace }

type fiber = Waits.fiber = {
  pool : string;
  waits_for : string;
  name : string;
  held_by : holder option;
  seconds : float;
  stack : Printexc.raw_backtrace;
}

let fibers () = Waits.fibers (Pool_state.all ())

(* --- text --- *)

let plural n what = Printf.sprintf "%d %s%s" n what (if n = 1 then "" else "s")

(* Fibers that wait in the same place, in the order of the first of each. *)
let grouped fibers =
  let groups = Hashtbl.create 16 and keys = ref [] in
  let add f =
    let key = (f.waits_for, f.name, f.held_by, f.stack) in
    match Hashtbl.find_opt groups key with
    | Some others -> Hashtbl.replace groups key (f :: others)
    | None ->
        keys := key :: !keys;
        Hashtbl.add groups key [ f ]
  in
  Stdlib.List.iter add fibers;
  Stdlib.List.rev_map (fun key -> (key, Stdlib.List.rev (Hashtbl.find groups key))) !keys

let duration seconds =
  if seconds < 1e-3 then Printf.sprintf "%.0f us" (1e6 *. seconds)
  else if seconds < 1. then Printf.sprintf "%.0f ms" (1e3 *. seconds)
  else Printf.sprintf (if seconds < 100. then "%.1f s" else "%.0f s") seconds

let durations ~longest ~shortest =
  let longest = duration longest and shortest = duration shortest in
  if longest = shortest then longest else Printf.sprintf "%s to %s" longest shortest

let named operation name = if name = "" then operation else Printf.sprintf "%s %S" operation name

let add_calls b ~indent calls =
  Stdlib.List.iter (Printf.bprintf b "%s%s\n" (Stdlib.String.make indent ' ')) calls

let add_holder b = function
  | Thread -> Printf.bprintf b "    held by a thread outside of all pools\n"
  | Running -> Printf.bprintf b "    held by a fiber that runs, or is ready to\n"
  | Waiting { waits_for; name; stack } ->
      let calls = Deadlock.calls stack in
      Printf.bprintf b "    held by a fiber that waits in %s%s\n" (named waits_for name)
        (if calls = [] then "" else ":");
      add_calls b ~indent:6 calls

(* The fibers are sorted: the longest waiting first. *)
let add_group b ((operation, name, held_by, stack), fibers) =
  let n = Stdlib.List.length fibers and calls = Deadlock.calls stack in
  let seconds i = (Stdlib.List.nth fibers i).seconds in
  Printf.bprintf b "  %s %s in %s, for %s%s\n" (plural n "fiber")
    (if n = 1 then "waits" else "wait")
    (named operation name)
    (durations ~longest:(seconds 0) ~shortest:(seconds (n - 1)))
    (if calls = [] && held_by = None then "" else ":");
  add_calls b ~indent:4 calls;
  Option.iter (add_holder b) held_by

let add_pool b waiting (p : Stats.pool) =
  Printf.bprintf b "pool %S: %s, %d of them there; %s queued, %s %s, %s\n" p.name (plural p.domains "domain")
    p.present (plural p.queued "job") (plural p.suspended "fiber")
    (if p.suspended = 1 then "waits" else "wait")
    (plural p.timers "timer");
  Stdlib.List.iter (add_group b) (grouped (Stdlib.List.filter (fun f -> f.pool = p.name) waiting));
  Option.iter
    (fun n ->
      Printf.bprintf b "  %s in line for room, in %s\n" (plural n "job or fiber") Deadlock.queued_for_a_limit)
    (Stdlib.List.assoc_opt Deadlock.queued_for_a_limit p.waiting)

let to_string () =
  let b = Buffer.create 1024 in
  let waiting = fibers () in
  Stdlib.List.iter (add_pool b waiting) (Stats.all ());
  let calls = Stats.blocking () in
  Printf.bprintf b "calls of Weft.blocking: %d running, %d queued\n" calls.running calls.queued;
  Buffer.contents b

let write text =
  prerr_string text;
  flush stderr

let print () = write (to_string ())

(* It may have interrupted a thread that reads the list of the fibers itself. What a handler raises ends a
   computation; so if standard error cannot be written, nothing is. *)
let print_if_possible _ =
  match to_string () with
  | text -> ( try write text with Sys_error _ -> ())
  | exception Sys_error why -> Weft_platform.Say.line "no dump at this moment (%s): ask again" why

(* OCaml takes the lowest 32 bits of the number only: [max_int] would be SIGABRT. *)
let exists signal = signal > -128 && signal < 128

let at_signal signal =
  let refuse why =
    Printf.ksprintf invalid_arg "Weft.Dump.at_signal: signal %d cannot be handled (%s)" signal why
  in
  if not (exists signal) then refuse "there is none";
  try Sys.set_signal signal (Signal_handle print_if_possible)
  with Invalid_argument why | Sys_error why -> refuse why

module Private = struct
  let durations = durations
end
