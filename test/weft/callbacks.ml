open Support
open Effect.Deep

(* Functions that Weft calls on the stack of whoever comes by: no handler there gets their effects, so none
   decides whether that stack goes on. *)

type _ Effect.t += Ask : int Effect.t

(* A handler that drops the computation. *)
let dropping asked f =
  let effc (type b) (e : b Effect.t) : ((b, unit) continuation -> unit) option =
    match e with Ask -> Some (fun _ -> Atomic.incr asked) | _ -> None
  in
  try_with f () { effc }

let is_refused ~says exn =
  match exn with Effect.Unhandled Ask -> Testing.Text.contains says (Printexc.to_string exn) | _ -> false

(* [settle ~asked ~give p] has [give p] called before [p] is settled, or after that; under what handlers is its own
   matter. *)
let ways : (string * (asked:int Atomic.t -> give:(unit Weft.promise -> unit) -> unit)) list =
  let resolve = Weft.Promise.resolve in
  [
    ("settled already", fun ~asked ~give -> dropping asked (fun () -> give (Weft.Promise.of_value ())));
    ( "settled already, in a task that somebody awaits",
      fun ~asked ~give ->
        dropping asked (fun () -> Weft.await (Weft.async (fun () -> give (Weft.Promise.of_value ())))) );
    ( "resolved below a handler",
      fun ~asked ~give ->
        let p = Weft.Promise.create () in
        give p;
        let waits = start_waiting (fun () -> Weft.await p) in
        dropping asked (fun () -> resolve p ());
        Weft.await waits );
    ( "resolved by a part of a par",
      fun ~asked ~give ->
        let p = Weft.Promise.create () in
        give p;
        let waits = start_waiting (fun () -> Weft.await p) in
        dropping asked (fun () -> ignore (Weft.par ignore (fun () -> resolve p ()) : unit * unit));
        Weft.await waits );
    ( "resolved by a thread",
      fun ~asked ~give ->
        let p = Weft.Promise.create () in
        give p;
        let waits = start_waiting (fun () -> Weft.await p) in
        Thread.join (Thread.create (fun () -> dropping asked (fun () -> resolve p ())) ());
        Weft.await waits );
    ( "resolved by Weft.blocking",
      fun ~asked ~give ->
        let p = Weft.Promise.create () in
        give p;
        let waits = start_waiting (fun () -> Weft.await p) in
        Weft.blocking (fun () -> dropping asked (fun () -> resolve p ()));
        Weft.await waits );
    ( "settled by its task",
      fun ~asked ~give ->
        dropping asked (fun () ->
            let p = Weft.async Weft.yield in
            give p;
            Weft.await p) );
  ]

let no_handler_gets_its_effects () =
  in_each_size @@ fun () ->
  List.iter
    (fun (what, settle) ->
      let asked = Atomic.make 0 and refused = Atomic.make 0 in
      let f _ =
        match Effect.perform Ask with
        | _ -> ()
        | exception exn when is_refused ~says:"on_settled" exn -> Atomic.incr refused
      in
      watched (fun () -> what) (fun () -> settle ~asked ~give:(fun p -> Weft.Promise.on_settled p f));
      yield_until "the function has been called" (fun () -> Atomic.get refused > 0);
      Alcotest.(check (pair int int)) what (0, 1) (Atomic.get asked, Atomic.get refused))
    ways

(* The calls of f still may resume others. *)
let may_wake_others () =
  in_each_size @@ fun () ->
  let p = Weft.Promise.create () and q = Weft.Promise.create () in
  Weft.Promise.on_settled p (fun _ -> Weft.Promise.resolve q 3);
  let waits = start_waiting (fun () -> Weft.await q) in
  Weft.Promise.resolve p ();
  Alcotest.(check int) "resumed" 3 (Weft.await waits)

let of_suppressed_exceptions () =
  in_each_size @@ fun () ->
  let asked = Atomic.make 0 and told = Atomic.make 0 in
  let handler _ _ =
    Atomic.incr told;
    ignore (Effect.perform Ask : int)
  in
  Weft.set_suppressed_handler handler;
  Fun.protect ~finally:(fun () -> Weft.set_suppressed_handler (fun _ _ -> ())) @@ fun () ->
  let fails = ref false in
  let begun = Atomic.make false in
  dropping asked (fun () ->
      try
        ignore
          (Weft.par
             (fun () ->
               yield_until "the right side has begun" (fun () -> Atomic.get begun);
               raise (Planned 1))
             (fun () ->
               Atomic.set begun true;
               try yield_until "it is stopped" (fun () -> false) with _ -> raise (Planned 2))
            : unit * unit)
      with Planned 1 -> fails := true);
  Alcotest.(check (pair bool int)) "the call goes on" (true, 0) (!fails, Atomic.get asked);
  Alcotest.(check int) "told" 1 (Atomic.get told)

let tests =
  [
    case "on_settled: no handler gets the effects of its function" no_handler_gets_its_effects;
    case "on_settled: its function may resume others" may_wake_others;
    case "suppressed: no handler gets the effects of the program's handler" of_suppressed_exceptions;
  ]
