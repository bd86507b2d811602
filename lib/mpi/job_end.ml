open Bigarray

type job = { comm : Raw.comm; rank : int; size : int }

let job : job option Atomic.t = Atomic.make None
let patience = Atomic.make 60.
let set_patience = Atomic.set patience
let is_over () = Atomic.set job None

let several () =
  match Atomic.get job with Some { size = 1; _ } | None -> None | Some several -> Some several

let abort code =
  Raw.abort code;
  exit code

(* --- at once --- *)

(* One text, so that ranks do not write into each other's lines. *)
let report ~rank exn backtrace =
  let trace = Printexc.raw_backtrace_to_string backtrace in
  Printf.eprintf "weft: rank %d: %s\n%s%!" rank (Printexc.to_string exn) trace

let end_all j exn backtrace =
  report ~rank:j.rank exn backtrace;
  flush_all ();
  abort 2

let fail exn backtrace =
  match several () with
  | None -> Printexc.raise_with_backtrace exn backtrace
  | Some j -> end_all j exn backtrace

let handler_name = "Printexc.handle_uncaught_exception"

let replace_handler () =
  let handler = Raw.named_handler handler_name in
  let handle exn debugger_in_use =
    let backtrace = Printexc.get_raw_backtrace () in
    Option.iter (fun j -> end_all j exn backtrace) (several ());
    Option.iter (fun handler -> handler exn debugger_in_use) handler
  in
  if handler <> None then Callback.register handler_name handle

(* --- the same program on all ranks --- *)

(* Of the program's file: 48 bits of it, or [unknown]. *)
let unknown = min_int

let digest =
  lazy
    (match Digest.file Sys.executable_name with
    | digest -> Int64.to_int (String.get_int64_be digest 0) land 0xffff_ffff_ffff
    | exception Sys_error _ -> unknown)

let all_digests j =
  let mine = Array1.of_array int c_layout [| Lazy.force digest |]
  and all = Array1.create int c_layout j.size in
  let what = "MPI_Iallgather" in
  Engine.finish
    (Engine.post ~to_the_end:true ~what ~keep_alive:(mine, all) (fun () -> Raw.iallgather mine all j.comm));
  Array.init j.size (Array1.get all)

(* --- together --- *)

type meeting = { ending : int; beginning : int; is_one_program : bool }

(* The first two are numbers of ranks, -1 for none; then the greatest digest, and the least one's negative. *)
let meet j ~ending =
  let digest = if ending then unknown else Lazy.force digest in
  let negative = if digest = unknown then unknown else -digest in
  let ranks = if ending then [| j.rank; -1 |] else [| -1; j.rank |] in
  let cell = Array1.of_array int c_layout (Array.append ranks [| digest; negative |]) in
  let what = "MPI_Iallreduce" in
  let p =
    Engine.post ~to_the_end:true ~what ~keep_alive:cell (fun () -> Raw.iallreduce cell cell Max j.comm)
  in
  let is_one_program () = cell.{2} = unknown || cell.{2} = -cell.{3} in
  (p, fun () -> { ending = cell.{0}; beginning = cell.{1}; is_one_program = is_one_program () })

(* A rank that has ended says why, and ends the job. *)
let rec await_end () =
  Thread.delay 1.;
  await_end ()

(* The first rank with another program than those before it says so. *)
let refuse_programs j =
  let all = all_digests j in
  let first = Option.get (Array.find_index (( <> ) unknown) all) in
  let other = Option.get (Array.find_index (fun d -> d <> unknown && d <> all.(first)) all) in
  if j.rank <> other then await_end ();
  Say.line "rank %d runs another program than rank %d (%s): start the same file on all ranks" other first
    Sys.executable_name;
  flush_all ();
  abort 2

let begin_run () =
  let meet_others j =
    let p, seen = meet j ~ending:false in
    Engine.finish p;
    let { ending; is_one_program; _ } = seen () in
    if ending >= 0 then await_end ();
    if not is_one_program then refuse_programs j;
    Engine.check ()
  in
  Option.iter meet_others (several ())

let say_that_it_waits j = Say.line "rank %d has come to its end, and waits for ranks that go on" j.rank

let wait_for_all () =
  let meet_others j =
    let p, seen = meet j ~ending:true in
    if not (Engine.completes_within p (Atomic.get patience)) then begin
      say_that_it_waits j;
      ignore (Engine.completes_within p infinity : bool)
    end;
    let other = (seen ()).beginning in
    if other >= 0 then begin
      if (seen ()).ending = j.rank then
        Say.line "rank %d has come to its end, but rank %d calls Weft_mpi.run, which ends the job" j.rank
          other
      else await_end ();
      flush_all ();
      abort 2
    end
  in
  Option.iter meet_others (several ())

let init world ~rank ~size =
  Atomic.set job (Some { comm = Engine.call ~what:"MPI_Comm_dup" (fun () -> Raw.dup world); rank; size });
  replace_handler ()
