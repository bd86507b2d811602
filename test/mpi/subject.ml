(* subject CASE...: what test_mpi starts on several ranks. Rank 0 prints what must not depend on their number. *)

open Weft_mpi

let cases =
  [
    ("binding", Binding_cases.run);
    ("loops", Loop_cases.run);
    ("arrays", Array_cases.run);
    ("failures", Failure_cases.run);
    ("cancellation", Cancel_cases.run);
    ("receives", Receive_cases.run);
  ]

(* The others wait for the one that fails. *)
let last_fails w = if rank w = size w - 1 then failwith "the last" else if size w > 1 then barrier w
let last_is_killed w = if rank w = size w - 1 then Unix.kill (Unix.getpid ()) Sys.sigkill else barrier w
let first_exits w = if rank w = 0 then exit 0 else barrier w

let rec until p =
  if not (p ()) then begin
    Unix.sleepf 0.001;
    until p
  end

let between_runs f =
  let me = run rank in
  f me;
  run (fun w -> barrier w)

let fails_between () = between_runs (fun me -> if me = 1 then failwith "between")
let exits_between () = between_runs (fun me -> if me = 1 then exit 3)

(* Rank 0 goes on until [file] is there. *)
let one_goes_on file =
  Mpi.Private.set_patience 0.01;
  let me = run rank in
  while me = 0 && not (Sys.file_exists file) do
    Unix.sleepf 0.01
  done

(* Outside of pools, a handler raises where rank 0 is blocked in a receive: its message comes while the handler runs, and
   no earlier. *)
let interrupted file =
  Mpi.init ();
  let c = Mpi.Comm.world () in
  let number n = Check.ints 1 (fun _ -> n) in
  if Mpi.Comm.rank c = 1 then begin
    until (fun () -> Sys.file_exists file);
    Mpi.send c ~dest:0 (number 1);
    Mpi.send c ~dest:0 (number 2)
  end
  else if Mpi.Comm.rank c = 0 then begin
    let alarm () = ignore (Unix.setitimer ITIMER_REAL { it_interval = 0.; it_value = 0.01 }) in
    let is_blocked () =
      let stack = Printexc.(raw_backtrace_to_string (get_callstack 100)) in
      List.exists (String.starts_with ~prefix:"Weft_mpi__Outside.") (String.split_on_char ' ' stack)
    in
    let handle _ =
      if not (is_blocked ()) then alarm ()
      else begin
        Out_channel.with_open_bin file ignore;
        until (fun () -> Mpi.Private.pending () = 0);
        raise Exit
      end
    in
    Sys.set_signal Sys.sigalrm (Signal_handle handle);
    alarm ();
    let a = number 0 in
    ignore (Mpi.recv c a : Mpi.status);
    Check.same "the message that had come" a.{0} 1;
    Check.raises "the next call" (( = ) Exit) (fun () -> Mpi.recv c a);
    ignore (Mpi.recv c a : Mpi.status);
    Check.same "the message after it" a.{0} 2
  end

(* Outside of pools, a handler raises at any moment: each receive has its message, or has taken none. *)
let interrupted_often () =
  Mpi.init ();
  let c = Mpi.Comm.world () and n = 2000 in
  if Mpi.Comm.rank c = 1 then
    for i = 1 to n do
      Mpi.send c ~dest:0 (Check.ints 1 (fun _ -> i));
      Unix.sleepf 1e-4
    done
  else if Mpi.Comm.rank c = 0 then begin
    let a = Check.ints 1 Fun.id and may_raise = ref false in
    let rec receive i =
      if i <= n then begin
        (match
           may_raise := true;
           ignore (Mpi.recv c ~source:1 a : Mpi.status);
           may_raise := false
         with
        | () -> Check.same "in order" a.{0} i
        | exception Exit -> may_raise := false);
        receive (if a.{0} = i then i + 1 else i)
      end
    in
    Sys.set_signal Sys.sigalrm (Signal_handle (fun _ -> if !may_raise then raise Exit));
    ignore (Unix.setitimer ITIMER_REAL { it_interval = 3.1e-4; it_value = 0.001 });
    receive 1;
    ignore (Unix.setitimer ITIMER_REAL { it_interval = 0.; it_value = 0. })
  end

let same_outside () =
  let c = Mpi.Comm.world () in
  let a = [| 1. |] in
  Mpi.Floats.all_reduce c Sum a;
  Check.same "outside" a [| float (Mpi.Comm.size c) |]

let twice () =
  let one = run (fun w -> Array.length (gather w ())) in
  same_outside ();
  let two = run ~domains:2 (fun w -> Array.length (gather w ())) in
  run (fun w -> Check.say w "twice: %b" (one = two))

(* Nothing is left behind: neither requests nor memory. *)
let resident () =
  let rec find channel =
    match In_channel.input_line channel with
    | None -> 0
    | Some line -> (
        try Scanf.sscanf line "VmRSS: %d kB" Fun.id with Scanf.Scan_failure _ | End_of_file -> find channel)
  in
  In_channel.with_open_text "/proc/self/status" find

let kinds w =
  let c = comm w in
  let next = (rank w + 1) mod size w and before = (rank w + size w - 1) mod size w in
  let a = Check.ints 10 Fun.id and b = Check.ints 10 Fun.id in
  let long = Array.make 2000 0 in
  let both f g = ignore (Weft.par f g : unit * unit) in
  [
    ("messages", 5000, fun () -> ignore (Mpi.exchange c ~dest:next a ~source:before b : Mpi.status));
    ("all_reduce", 5000, fun () -> Mpi.all_reduce c Sum a b);
    ( "values",
      1000,
      fun () ->
        both
          (fun () -> Mpi.Value.send c ~dest:next long)
          (fun () -> ignore (Mpi.Value.recv c ~source:before : int array * Mpi.status)) );
    ("all_gather of values", 500, fun () -> ignore (Mpi.Value.all_gather c long : int array array));
    ("loops", 300, fun () -> parallel_for w ~start:1 ~finish:10 ~body:ignore ());
    ("communicators", 100, fun () -> Mpi.Comm.free (Mpi.Comm.duplicate c));
    ("windows", 100, fun () -> Mpi.Window.free (Mpi.Window.create c ~slots:1));
    ( "worlds",
      100,
      fun () ->
        let world = of_comm c in
        parallel_for world ~start:1 ~finish:10 ~body:ignore ();
        free world );
  ]

(* Long arrays of floats go through buffers, of which only small ones are kept. *)
let large_buffers w =
  let c = comm w in
  let next = (rank w + 1) mod size w and before = (rank w + size w - 1) mod size w in
  let n = 1 lsl 21 in
  let each tag =
    let send () = Mpi.Floats.send c ~tag ~dest:next (Array.make n 1.) in
    let receive () = ignore (Mpi.Floats.recv c ~tag ~source:before (Array.make n 0.) : Mpi.status) in
    ignore (Weft.par send receive : unit * unit)
  in
  ignore (Weft.all (List.init 4 (fun i () -> each i)) : unit list);
  let kept = Mpi.Private.buffer_bytes () in
  if kept > 1 lsl 24 then failwith (Printf.sprintf "%d bytes are kept" kept);
  Check.say w "large buffers: done"

let traffic w =
  let rounds n f =
    for _ = 1 to n do
      f ()
    done;
    (* No compaction: before OCaml 5.4 it is not safe while domains may end (doc/runtime-faults.md). *)
    Gc.full_major ();
    Check.until_none_pending ();
    resident ()
  in
  (* What leaks, leaks in each part; heaps and MPI's own lists only grow at first. All ranks go on, or none. *)
  let rec until_steady (name, n, f) parts before =
    let now = rounds n f in
    let grown = Check.ints 1 (fun _ -> now - before) in
    Mpi.all_reduce (comm w) Max grown grown;
    (* kB: less than a page for each of a thousand rounds. *)
    if grown.{0} > 800 then
      if parts = 0 then failwith (Printf.sprintf "%s: %d kB more in each part" name grown.{0})
      else until_steady (name, n, f) (parts - 1) now
  in
  let each (name, n, f) =
    until_steady (name, n, f) 20 (rounds n f);
    Check.say w "traffic: %s" name
  in
  large_buffers w;
  List.iter each (kinds w)

(* Many messages: no request is left, and memory does not grow in each tenth. *)
let volume messages w =
  let c = comm w in
  let next = (rank w + 1) mod size w and before = (rank w + size w - 1) mod size w in
  let fibers = 8 in
  let exchange tag n =
    let a = Check.ints 10 Fun.id and b = Check.ints 10 Fun.id in
    for _ = 1 to n do
      ignore (Mpi.exchange c ~tag ~dest:next a ~source:before b : Mpi.status)
    done
  in
  let part n =
    ignore (Weft.all (List.init fibers (fun tag () -> exchange tag (n / fibers))) : unit list);
    let a = Check.ints 1 Fun.id in
    for _ = 1 to n / 100 do
      Mpi.all_reduce c Max a a
    done;
    Gc.full_major ();
    Check.until_none_pending ();
    resident ()
  in
  let sizes = List.init 10 (fun _ -> part (messages / 10)) in
  let grown = List.map2 ( - ) (List.tl sizes) (List.filteri (fun i _ -> i < 9) sizes) in
  let least = List.fold_left Int.min max_int grown in
  if least > 800 then failwith (Printf.sprintf "%d kB more, at least, in each part" least);
  Check.say w "volume: done"

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [ "last-fails" ] -> run last_fails
  | [ "last-is-killed" ] -> run last_is_killed
  | [ "first-exits" ] -> run first_exits
  | [ "fails-between" ] -> fails_between ()
  | [ "exits-between" ] -> exits_between ()
  | [ "interrupted-often" ] -> interrupted_often ()
  | [ "interrupted"; file ] -> interrupted file
  | [ "one-goes-on"; file ] -> one_goes_on file
  | [ "twice" ] -> twice ()
  | [ "traffic" ] -> run traffic
  | [ "volume"; messages ] -> run (volume (int_of_string messages))
  | names -> run (fun w -> List.iter (fun name -> (List.assoc name cases) w) names)
