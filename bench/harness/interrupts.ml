let exit_code = 130

(* The handler of the signal changes [Amid] to [Ended]; when the run is over, the thread that measures
   changes it to [Elsewhere]. The one that comes second finds out and leaves the rest to the other. *)
type place = Elsewhere | Amid | Ended

let place = Atomic.make Elsewhere
let signalled = Atomic.make false
let report_now = Atomic.make ignore
let signals = [ Sys.sigint; Sys.sigterm ]
let at_ends = Atomic.make []

let rec at_end f =
  let before = Atomic.get at_ends in
  if not (Atomic.compare_and_set at_ends before (f :: before)) then at_end f

(* [exit] would take down the runtime beneath domains that are still running, and OCaml 5.3 crashes then
   now and again. *)
let end_now () =
  let call f = try f () with _ -> () in
  call (Atomic.get report_now);
  List.iter call (Atomic.get at_ends);
  List.iter (fun channel -> call (fun () -> flush channel)) [ stdout; stderr ];
  Unix._exit exit_code

let rec leave_to_the_other () =
  (try Unix.sleepf 3600. with Unix.Unix_error (EINTR, _, _) -> ());
  leave_to_the_other ()

let handle _ =
  (* The next signal ends the process. OCaml blocks a signal while its handler runs, so it is unblocked
     here. *)
  List.iter (fun signal -> Sys.set_signal signal Signal_default) signals;
  ignore (Unix.sigprocmask SIG_UNBLOCK signals : int list);
  Atomic.set signalled true;
  if Atomic.compare_and_set place Amid Ended then end_now ()

let end_if_signalled () =
  if Atomic.get signalled && Atomic.compare_and_set place Elsewhere Ended then end_now ()

let amid f =
  end_if_signalled ();
  Atomic.set place Amid;
  (* The signal may have come in between. *)
  if Atomic.get signalled && Atomic.compare_and_set place Amid Ended then end_now ();
  let left () = if not (Atomic.compare_and_set place Amid Elsewhere) then leave_to_the_other () in
  match f () with
  | result ->
      left ();
      end_if_signalled ();
      result
  | exception e ->
      let trace = Printexc.get_raw_backtrace () in
      left ();
      end_if_signalled ();
      Printexc.raise_with_backtrace e trace

(* Moves [Amid] to [Elsewhere] and back. *)
let whole f =
  if Atomic.compare_and_set place Amid Elsewhere then begin
    let back () =
      Atomic.set place Amid;
      if Atomic.get signalled && Atomic.compare_and_set place Amid Ended then end_now ()
    in
    Fun.protect f ~finally:back
  end
  else begin
    if Atomic.get place = Ended then leave_to_the_other ();
    f ()
  end

let catch signal =
  match Sys.signal signal (Signal_handle handle) with
  | Signal_ignore ->
      Sys.set_signal signal Signal_ignore;
      None
  | before -> Some (signal, before)

let guarded ~report f =
  Atomic.set signalled false;
  Atomic.set place Elsewhere;
  Atomic.set report_now report;
  let before = List.filter_map catch signals in
  Fun.protect f ~finally:(fun () ->
      end_if_signalled ();
      List.iter (fun (signal, behaviour) -> Sys.set_signal signal behaviour) before)
