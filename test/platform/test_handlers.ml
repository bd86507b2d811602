(* Recorders stand for the program's handlers, and are recognised whenever the program puts one back. *)

module Handlers = Weft_platform.Handlers

let case = Testing.Watchdog.case
let signal = Sys.sigusr1

let current () =
  match Sys.signal signal Signal_ignore with Signal_handle h -> h | _ -> Alcotest.fail "no handler"

let install h =
  Sys.set_signal signal (Signal_handle h);
  ignore (Handlers.take_over () : bool)

(* The handler that the installed recorder reports. *)
let told recorder =
  let got = ref [] and before = !Handlers.receive in
  (Handlers.receive := fun number h -> got := (number, h) :: !got);
  Fun.protect ~finally:(fun () -> Handlers.receive := before) (fun () -> recorder signal);
  match !got with
  | [ (number, h) ] when number = signal -> h
  | calls -> Alcotest.failf "%d calls" (List.length calls)

let handler i _ = ignore (Sys.opaque_identity i : int)
let check_same what expected found = if expected != found then Alcotest.failf "%s: another handler" what

let put_back () =
  let mine = handler 0 in
  install mine;
  let recorder = current () in
  if recorder == mine then Alcotest.fail "the handler is not replaced";
  check_same "at once" mine (told recorder);
  for i = 1 to 10_000 do
    install (handler i)
  done;
  Gc.full_major ();
  install recorder;
  let again = current () in
  check_same "the same recorder" recorder again;
  check_same "much later" mine (told again)

(* Functions of all shapes that are no recorders. *)
let others () =
  let partial = ( + ) 1 in
  let rec first n = if n > 0 then second (n - 1) and second n = if n > 0 then first (n - 1) in
  let two_variables =
    let a = Sys.opaque_identity 1 and b = Sys.opaque_identity 2 in
    fun n -> ignore (Sys.opaque_identity (a + b + n) : int)
  in
  List.iter
    (fun h ->
      install h;
      check_same "a function" h (told (current ())))
    [ ignore; (fun n -> ignore (partial n : int)); first; second; two_variables; handler 7 ]

(* [Sys.signal] makes the runtime handle a signal before it writes the function. The number stands for what
   OCaml's table has until then. The first domain looks at all signals, another one only at new ones. *)
let half_installed () =
  let find_out () = ignore (Handlers.take_over () : bool) and mine = handler 1 in
  List.iter
    (fun there ->
      Sys.set_signal signal Signal_default;
      find_out ();
      Sys.set_signal signal (Signal_handle (Obj.magic 0));
      there find_out;
      Sys.set_signal signal (Signal_handle mine);
      there find_out;
      let recorder = current () in
      if recorder == mine then Alcotest.fail "the handler is not replaced";
      check_same "found at the next look" mine (told recorder))
    [ (fun f -> f ()); (fun f -> Domain.join (Domain.spawn f)) ]

let words f =
  let before = Gc.minor_words () in
  f ();
  Gc.minor_words () -. before

(* A look costs the same, and keeps no memory, however many handlers there were. *)
let cost () =
  let look () = ignore (Handlers.take_over () : bool) in
  let several () = List.iter (fun i -> install (handler i)) [ 1; 2; 3 ] in
  several ();
  let few = words look and few_installed = words several in
  for i = 1 to 30_000 do
    install (handler i);
    look ()
  done;
  let many = words look and many_installed = words several in
  Alcotest.(check (float 0.)) "a look" few many;
  Alcotest.(check (float 0.)) "handlers installed" few_installed many_installed

let () =
  Alcotest.run "handlers"
    [
      ( "recorders",
        [
          case "a recorder that is put back is known" put_back;
          case "all other functions are not" others;
          case "a handler that is being installed" half_installed;
          case "their number costs nothing" cost;
        ] );
    ]
