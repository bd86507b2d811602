open Weft_platform

type _ Effect.t += Ask : int Effect.t | Say : string -> unit Effect.t

(* Patterns and the rest of the standard library see the usual exception. *)
let is_the_standard_one () =
  (match raise (Refusal.unhandled (Say "x") ~why:"so") with
  | exception Effect.Unhandled (Say "x") -> ()
  | exception _ -> Alcotest.fail "another one"
  | _ -> ());
  let plain = Effect.Unhandled Ask and exn = Refusal.unhandled Ask ~why:"so" in
  Alcotest.(check string) "its name" (Printexc.exn_slot_name plain) (Printexc.exn_slot_name exn);
  Gc.compact ();
  Alcotest.(check (option string)) "why" (Some "so") (Refusal.why exn);
  Alcotest.(check (option string)) "no reason" None (Refusal.why plain);
  Alcotest.(check (option string)) "another" None (Refusal.why Not_found)

let is_printed () =
  Alcotest.(check string)
    "with the reason"
    (Printexc.to_string (Effect.Unhandled Ask) ^ ": so")
    (Printexc.to_string (Refusal.unhandled Ask ~why:"so"))

(* --- code whose effects are refused --- *)

let answered f =
  let effc (type a) (e : a Effect.t) : ((a, _) Effect.Deep.continuation -> _) option =
    match e with Ask -> Some (fun k -> Effect.Deep.continue k 7) | _ -> None
  in
  Effect.Deep.try_with f () { effc }

let ask () = Effect.perform Ask

let does_not_get_out () =
  let within f = Refused_effects.within ~why:"so" f () in
  (match answered (fun () -> within ask) with
  | _ -> Alcotest.fail "answered from outside"
  | exception (Effect.Unhandled Ask as exn) ->
      Alcotest.(check (option string)) "why" (Some "so") (Refusal.why exn));
  Alcotest.(check int) "answered inside" 7 (within (fun () -> answered ask));
  Alcotest.(check int) "goes on" 7 (answered ask);
  match within (fun () -> raise Exit) with () -> Alcotest.fail "no exception" | exception Exit -> ()

(* Outside of fibers all handlers count, in a fiber those inside it. *)
let handlers_are_seen () =
  let check what expected =
    Alcotest.(check bool) what expected (Sys.opaque_identity Refused_effects.handlers_around ())
  in
  let in_a_fiber f =
    Fiber_stack.start f () ~returned:ignore ~others:{ perform = (fun () _ _ -> assert false) }
  in
  let all () =
    check "none" false;
    answered (fun () -> check "one" true);
    in_a_fiber (fun () ->
        check "a fiber's own" false;
        Gc.full_major ();
        check "after a collection" false;
        answered (fun () -> check "one in a fiber" true);
        check "a fiber's own, again" false);
    answered (fun () -> in_a_fiber (fun () -> check "one around a fiber" false));
    in_a_fiber (fun () -> Refused_effects.within ~why:"so" (check "refusing") true);
    check "none again" false
  in
  all ();
  Thread.join (Thread.create all ());
  Domain.join (Domain.spawn all)

let () =
  let case name f = Testing.Watchdog.case name f in
  Alcotest.run "refusal"
    [
      ( "unhandled",
        [ case "is Effect.Unhandled" is_the_standard_one; case "is printed with the reason" is_printed ] );
      ( "refused",
        [ case "an effect does not get out" does_not_get_out; case "handlers are seen" handlers_are_seen ] );
    ]
