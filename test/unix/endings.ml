open Helpers
module Cancel = Weft.Cancel
module Pool = Weft.Pool
module Poller = Weft_platform.Poller

(* Each wait there is: a function that waits for ever, and is given what it needs. *)

type wait = {
  name : string;
  is_timeout : exn -> bool;
  with_ : ((?timeout:float -> unit -> unit) -> unit) -> unit;
}

let wait ?(is_timeout = fun exn -> exn = Cancel.Timeout) name make = { name; is_timeout; with_ = make }
let on_socket name f = wait name (fun go -> with_pair @@ fun a _ -> go (fun ?timeout () -> f ?timeout a))

let on_full_socket name f =
  wait name (fun go ->
      with_pair @@ fun a _ ->
      fill a;
      go (fun ?timeout () -> f ?timeout a))

let some = Bytes.create 10

(* The system answers no more connections than the listener's queue holds. *)
let connecting =
  wait "connect" (fun go ->
      with_listener ~backlog:0 @@ fun _ address ->
      let opened = ref [] in
      let socket () =
        let fd = Weft_unix.socket PF_INET SOCK_STREAM 0 in
        opened := fd :: !opened;
        fd
      in
      Fun.protect ~finally:(fun () -> List.iter close !opened) @@ fun () ->
      (* Linux has room for one more than the backlog. *)
      Weft_unix.connect (socket ()) address;
      go (fun ?timeout () -> Weft_unix.connect ?timeout (socket ()) address))

let with_child program f =
  let input, output = Unix.pipe ~cloexec:true () in
  let pid = Unix.create_process program [| program |] input Unix.stdout Unix.stderr in
  Unix.close input;
  Fun.protect
    ~finally:(fun () ->
      Unix.close output;
      ignore (Unix.waitpid [] pid : int * Unix.process_status))
    (fun () -> f pid)

let waits =
  [
    on_socket "read" (fun ?timeout fd -> ignore (Weft_unix.read ?timeout fd some 0 10 : int));
    on_socket "read_all" (fun ?timeout fd -> ignore (Weft_unix.read_all ?timeout fd : string));
    on_socket "wait_readable" Weft_unix.wait_readable;
    on_full_socket "wait_writable" Weft_unix.wait_writable;
    on_full_socket "single_write" (fun ?timeout fd ->
        ignore (Weft_unix.single_write ?timeout fd some 0 10 : int));
    on_full_socket "write" (fun ?timeout fd -> Weft_unix.write ?timeout fd some 0 10);
    on_full_socket "write_string" (fun ?timeout fd -> Weft_unix.write_string ?timeout fd "x");
    wait "accept" (fun go ->
        with_listener @@ fun fd _ -> go (fun ?timeout () -> ignore (Weft_unix.accept ?timeout fd : _ * _)));
    connecting;
    wait "waitpid" (fun go ->
        with_child "cat" (fun pid ->
            go (fun ?timeout () -> ignore (Weft_unix.waitpid ?timeout pid : Unix.process_status))));
    wait "run"
      ~is_timeout:(function Weft_unix.Timed_out c -> c.status = WSIGNALED Sys.sigterm | _ -> false)
      (fun go ->
        go (fun ?timeout () ->
            ignore (Weft_unix.run ~grace:1000. ?timeout [ "sleep"; "1000" ] : Weft_unix.completed)));
  ]

let raises what expected f =
  match f () with
  | () -> Alcotest.failf "%s did not wait" what
  | exception exn -> if not (expected exn) then Alcotest.failf "%s raises %s" what (Printexc.to_string exn)

let cancelled w () =
  on_each_size @@ fun () ->
  w.with_ @@ fun call ->
  let token = Cancel.create () in
  let task = waiting (fun () -> Cancel.within token (fun () -> call ())) in
  Cancel.cancel token;
  raises w.name (function Cancel.Cancelled _ -> true | _ -> false) (fun () -> Weft.await task);
  (* Cancelled before it begins. *)
  raises w.name
    (function Cancel.Cancelled _ -> true | _ -> false)
    (fun () -> Cancel.within token (fun () -> call ()))

let timed_out w () =
  on_each_size @@ fun () ->
  w.with_ @@ fun call ->
  let before = Poller.waits () in
  raises w.name w.is_timeout (fun () -> call ~timeout:0.01 ());
  raises w.name (fun exn -> exn = Cancel.Timeout) (fun () -> Cancel.with_timeout 0.01 (fun () -> call ()));
  raises w.name w.is_timeout (fun () -> call ~timeout:0. ());
  check_int "waits" before (Poller.waits ());
  raises w.name (function Invalid_argument _ -> true | _ -> false) (fun () -> call ~timeout:Float.nan ())

(* Whatever its time-out. *)
let pool_closed ?timeout w () =
  List.iter
    (fun domains ->
      let p = Pool.create ~domains () in
      let before = Poller.waits () in
      let begins = Atomic.make false and outcome = ref "" in
      let task =
        Pool.async p (fun () ->
            w.with_ @@ fun call ->
            Atomic.set begins true;
            match call ?timeout () with
            | () -> outcome := "it did not wait"
            | exception Pool.Closed _ -> outcome := "closed"
            | exception exn -> outcome := Printexc.to_string exn)
      in
      until "it waits" (fun () -> Atomic.get begins && Poller.waits () > before);
      Pool.close p;
      Weft.await task;
      check_string w.name "closed" !outcome)
    sizes

(* The queue of a local socket that nobody accepts from: nothing tells when there is room. *)
let local_queue_in_a_closed_pool () =
  Testing.Child.with_temp_file @@ fun path ->
  Sys.remove path;
  let listener = Weft_unix.socket PF_UNIX SOCK_STREAM 0 in
  Unix.bind listener (ADDR_UNIX path);
  Unix.listen listener 0;
  List.iter
    (fun domains ->
      let p = Pool.create ~domains () in
      let connect () =
        let fd = Weft_unix.socket PF_UNIX SOCK_STREAM 0 in
        Fun.protect
          ~finally:(fun () -> Weft_unix.close fd)
          (fun () -> Weft_unix.connect ~timeout:1000. fd (ADDR_UNIX path))
      in
      let rec connect_for_ever () =
        match connect () with () -> connect_for_ever () | exception Pool.Closed _ -> ()
      in
      let task = Pool.async p connect_for_ever in
      Pool.close p;
      Weft.await task)
    sizes;
  Weft_unix.close listener

(* A call with a time-out of 0 tries, and needs no thread that waits. *)
let only_tries w () =
  Weft.run ~domains:1 @@ fun () ->
  w.with_ @@ fun call ->
  yield_until "nobody polls" (fun () -> not (Poller.runs ()));
  List.iter
    (fun timeout -> raises w.name (fun exn -> exn = Cancel.Timeout) (fun () -> call ~timeout ()))
    [ 0.; -1.; neg_infinity ];
  check "nobody polls" (not (Poller.runs ()))

(* What was there when the fiber was cancelled is there afterwards. *)
let nothing_is_read_in_vain () =
  on_each_size @@ fun () ->
  with_pair @@ fun a b ->
  for i = 1 to Testing.Effort.count ~quick:100 ~usual:1000 ~long:10_000 do
    let token = Cancel.create () in
    let byte = Bytes.create 1 in
    let reader = Weft.async (fun () -> Cancel.within token (fun () -> Weft_unix.read b byte 0 1)) in
    let write () = Weft_unix.write a (Bytes.make 1 (Char.chr (i land 255))) 0 1 in
    let (), () = Weft.par write (fun () -> Cancel.cancel token) in
    (match Weft.await reader with
    | _ -> ()
    | exception Cancel.Cancelled _ -> ignore (Weft_unix.read b byte 0 1 : int));
    check_int "byte" (i land 255) (Char.code (Bytes.get byte 0))
  done

let cases =
  let of_wait kind test w = case (w.name ^ " " ^ kind) (leaves_nothing (test w)) in
  ( "endings",
    List.map (of_wait "is cancelled" cancelled) waits
    @ List.map (of_wait "times out" timed_out) waits
    @ List.map (of_wait "in a closed pool" pool_closed) waits
    @ List.map (of_wait "with a time-out in a closed pool" (pool_closed ~timeout:1000.)) waits
    @ List.map (of_wait "only tries" only_tries) (List.filter (fun w -> w.name <> "run") waits)
    @ [
        case "a full queue of a local socket in a closed pool" (leaves_nothing local_queue_in_a_closed_pool);
        case "nothing is read in vain" (leaves_nothing nothing_is_read_in_vain);
      ] )
