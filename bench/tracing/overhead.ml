let argument i default =
  if Array.length Sys.argv > i then (
    match float_of_string_opt Sys.argv.(i) with
    | Some x when x > 0. -> x
    | _ ->
        Printf.eprintf "overhead: '%s' is not a number above 0\n" Sys.argv.(i);
        exit 2)
  else default

let[@inline never] spin n =
  let x = ref n in
  for _ = 1 to n do
    x := !x lxor (!x lsl 13) lxor (!x lsr 7)
  done;
  !x

let seconds f =
  let before = Unix.gettimeofday () in
  f ();
  Unix.gettimeofday () -. before

(* So many steps take so long. *)
let calibrated ~microseconds =
  let steps = 10_000_000 in
  let one = seconds (fun () -> ignore (Sys.opaque_identity (spin steps))) in
  max 1 (int_of_float (microseconds *. 1e-6 /. one *. float_of_int steps))

(* They wait in the deque until the fiber that made them waits. *)
let tasks ~count ~steps () =
  let left = Atomic.make count and all_done = Weft.Promise.create () in
  let task () =
    ignore (Sys.opaque_identity (spin steps));
    if Atomic.fetch_and_add left (-1) = 1 then Weft.Promise.resolve all_done ()
  in
  for _ = 1 to count do
    ignore (Weft.async task : unit Weft.promise)
  done;
  Weft.await all_done

(* A new pool looks whether events are written. *)
let round ~domains ~count ~steps ~events =
  if events then Runtime_events.resume () else Runtime_events.pause ();
  Weft.run ~domains (fun () ->
      if Weft.Trace.enabled () <> events then failwith "events are not as they should be";
      tasks ~count:(count / 10) ~steps ();
      seconds (tasks ~count ~steps))

let median list =
  let sorted = List.sort Float.compare list in
  List.nth sorted (List.length sorted / 2)

let () =
  let microseconds = argument 1 10. and rounds = int_of_float (argument 2 21.) in
  (* Where the rings are written, if the user has not said it. *)
  if Sys.getenv_opt "OCAML_RUNTIME_EVENTS_DIR" = None then Sys.chdir (Filename.get_temp_dir_name ());
  Weft.Trace.start ();
  let steps = calibrated ~microseconds in
  let count = max 100 (int_of_float (200_000. /. microseconds)) in
  List.iter
    (fun domains ->
      let pair i =
        let first = i land 1 = 0 in
        let a = round ~domains ~count ~steps ~events:first in
        let b = round ~domains ~count ~steps ~events:(not first) in
        if first then a /. b else b /. a
      in
      let ratios = List.init rounds pair in
      Printf.printf "%d domains, tasks of %g us: with events %.4f times as long (median of %d pairs)\n%!"
        domains microseconds (median ratios) rounds)
    [ 1; 2 ]
