let exit_code = 130

(* [Amid] becomes [Ended] by whoever handles the signal, or [Elsewhere] by the thread that measures, when the run is
   over: whoever comes second finds out and leaves the rest to the other. *)
type place = Elsewhere | Amid | Ended

let place = Atomic.make Elsewhere
let signalled = Atomic.make false
let report_now = Atomic.make ignore
let signals = [ Sys.sigint; Sys.sigterm ]

let end_now () =
  (try Atomic.get report_now () with _ -> ());
  exit exit_code

let rec leave_to_the_other () =
  (try Unix.sleepf 3600. with Unix.Unix_error (EINTR, _, _) -> ());
  leave_to_the_other ()

let handle _ =
  List.iter (fun signal -> Sys.set_signal signal Signal_default) signals;
  Atomic.set signalled true;
  if Atomic.compare_and_set place Amid Ended then end_now ()

let end_if_signalled () =
  if Atomic.get signalled && Atomic.compare_and_set place Elsewhere Ended then end_now ()

let amid f =
  end_if_signalled ();
  Atomic.set place Amid;
  (* It may have come in between. *)
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
