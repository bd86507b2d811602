module Traced = Dscheck.TracedAtomic

exception Violation of string

let () = Printexc.register_printer (function Violation why -> Some why | _ -> None)
let violate fmt = Printf.ksprintf (fun why -> raise (Violation why)) fmt

type traces = (string, unit) Hashtbl.t

type report = {
  runs : int;
  discarded : int;
  outcomes : (string * int) list;
  traces : traces;
  seconds : float;
}

type algorithm = [ `Dpor_source | `Dpor | `Random of int ]
type verdict = Holds of report | Broken of { why : string; schedule : string list; runs : int }

(* A run that ended by an exception leaves dscheck's tracing on. *)
let reset_tracing () = try Traced.check (fun () -> raise_notrace Exit) with Exit -> ()

let all ?(by = `Dpor_source) scenario =
  let runs = ref 0 and discarded = ref 0 in
  let outcomes = Hashtbl.create 16 and traces = Hashtbl.create 1000 in
  let judge outcome =
    incr runs;
    Hashtbl.replace traces (Process.trace ()) ();
    if Process.is_discarded () then incr discarded
    else begin
      Option.iter (violate "%s") (Process.failure ());
      let outcome =
        match outcome () with
        | outcome -> Ok outcome
        | exception (Violation _ as v) -> Error v
        | exception exn -> violate "the end of the run raised %s" (Printexc.to_string exn)
      in
      (* The judgement may have woken a process that had to stop: there is a run in which another process
         did. *)
      match outcome with
      | _ when Process.is_discarded () -> incr discarded
      | Ok outcome ->
          Hashtbl.replace outcomes outcome (1 + Option.value ~default:0 (Hashtbl.find_opt outcomes outcome))
      | Error v -> raise v
    end
  in
  let set_up () =
    Process.restart ();
    let outcome = scenario () in
    Traced.final (fun () ->
        Process.at_end ();
        judge outcome)
  in
  let clock = Mtime_clock.counter () in
  match Traced.trace ~impl:by set_up with
  | () ->
      let seconds = Mtime.Span.to_float_ns (Mtime_clock.count clock) *. 1e-9 in
      let outcomes = List.sort compare (List.of_seq (Hashtbl.to_seq outcomes)) in
      Process.restart ();
      Holds { runs = !runs; discarded = !discarded; outcomes; traces; seconds }
  | exception Violation why ->
      reset_tracing ();
      let schedule = Process.schedule () in
      Process.restart ();
      Broken { why; schedule; runs = !runs }
