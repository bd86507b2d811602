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

let () =
  let case name f = Testing.Watchdog.case name f in
  Alcotest.run "refusal"
    [
      ( "unhandled",
        [ case "is Effect.Unhandled" is_the_standard_one; case "is printed with the reason" is_printed ] );
    ]
