(* Signals that a thread causes itself, by a fault or a system call, are not masked. *)
let synchronous =
  Sys.[ sigabrt; sigbus; sigfpe; sigill; sigpipe; sigsegv; sigsys; sigtrap; sigttin; sigttou; sigxfsz ]

let asynchronous = Signal_mask.without Signal_mask.all synchronous

let with_signals_masked f =
  Finalisers.within (fun () ->
      if Sys.win32 then f (Signal_mask.of_list []) else Signal_mask.while_blocked asynchronous f)

(* Takes over the handlers first: once signals are unmasked, a handler unknown to Weft could raise in what
   follows. *)
let unmask masked =
  ignore (Handlers.take_over () : bool);
  if not Sys.win32 then Signal_mask.set masked

let mask_for_good () = if not Sys.win32 then Signal_mask.block_for_good asynchronous

(* Each domain has its own setting for the recording of backtraces, and a new one takes it from
   OCAMLRUNPARAM. A pool's own domains shall have that of the domain that makes the pool, others that of the
   domain that starts them. *)
let prepare ?minor_heap ?(sized = true) ~backtraces ~masked () =
  unmask masked;
  Option.iter (if sized then Minor_heap.use else Minor_heap.expect) minor_heap;
  Printexc.record_backtrace backtraces;
  Domain_local_await.per_thread (module Thread)

(* A thread in the caller's domain would keep that domain from ending, and [main] may wait for that end. *)
let start_apart ?minor_heap ?(no_domain = ignore) domain ~masked main =
  let backtraces = Printexc.backtrace_status () in
  (* The domain begins with the signals masked. Somebody relies on [main] being called, so a handler that
     raises as soon as they are unmasked must not prevent it. *)
  let apart begin_ () =
    Signals.aside (fun () ->
        (try begin_ ()
         with exn ->
           mask_for_good ();
           Say.line "an exception struck a new thread, which goes on (%s)" (Printexc.to_string exn));
        main ())
  in
  let in_domain = apart (fun () -> prepare ?minor_heap ~backtraces ~masked ())
  and in_thread = apart (fun () -> unmask masked) in
  try Runtime_threads.start domain in_domain
  with _ ->
    no_domain ();
    ignore (Runtime_threads.start_thread (Thread.create in_thread) : Thread.t)
