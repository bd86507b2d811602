open Support
open Effect.Deep

(* A stolen part of a fork-join call performs effects to the caller's handlers, like a part that was not
   stolen. *)

type _ Effect.t += Ask : int Effect.t | Add : int -> unit Effect.t

(* Runs the function under a handler that answers [Ask] with [answer]. *)
let asked (type a) (answer : (int, a) continuation -> a) (f : unit -> a) : a =
  let effc (type b) (e : b Effect.t) : ((b, a) continuation -> a) option =
    match e with Ask -> Some answer | _ -> None
  in
  try_with f () { effc }

(* The same for [Add]. *)
let added (type a) (add : int -> (unit, a) continuation -> a) (f : unit -> a) : a =
  let effc (type b) (e : b Effect.t) : ((b, a) continuation -> a) option =
    match e with Add n -> Some (add n) | _ -> None
  in
  try_with f () { effc }

let answering n f = asked (fun k -> continue k n) f

let adding f =
  let sum = ref 0 in
  let v =
    added
      (fun n k ->
        sum := !sum + n;
        continue k ())
      f
  in
  (v, !sum)

let ask () = Effect.perform Ask
let on domains f = Weft.Pool.with_pool ~domains @@ fun pool -> Weft.Pool.run pool f

(* The left side does not end before the right one has begun, so the right one runs in a fiber of its own: on
   another worker, or on this one while the left side yields. *)
let stolen ?(left = fun () -> ()) right =
  let begun = Atomic.make false in
  snd
    (Weft.par
       (fun () ->
         yield_until "the right side has begun" (fun () -> Atomic.get begun);
         left ())
       (fun () ->
         Atomic.set begun true;
         right ()))

let not_stolen right = snd (Weft.par ignore right)

(* A way to run a function elsewhere, which must do the same with the caller's handlers. *)
type way = { way : 'a. (unit -> 'a) -> 'a }

(* [in_each check expected f] is the same for each way, in a new pool of each size. *)
type ways = { in_each : 'a. ?except:string list -> 'a Alcotest.testable -> 'a -> (way -> 'a) -> unit }

(* [on_size domains] are the ways with so many domains, with their names. *)
let ways on_size =
  let in_each ?(except = []) check expected f =
    List.iter
      (fun domains ->
        List.iter
          (fun (what, way) ->
            if not (List.mem what except) then
              Alcotest.check check
                (Printf.sprintf "%s, %d domains" what domains)
                expected
                (on domains (fun () -> f way)))
          (on_size domains))
      sizes
  in
  { in_each }

let sum_of_asks n = List.fold_left (fun sum () -> sum + ask ()) 0 (List.init n ignore)

let answers { in_each } =
  in_each Alcotest.int 700 (fun { way } -> answering 7 (fun () -> way (fun () -> sum_of_asks 100)))

let nested { in_each } =
  in_each Alcotest.int 21 (fun { way } ->
      answering 7 (fun () -> way (fun () -> ask () + way (fun () -> ask () + way ask))))

let nearest_handler { in_each } =
  in_each
    Alcotest.(list int)
    [ 1; 2; 1 ]
    (fun { way } ->
      answering 1 (fun () ->
          way (fun () ->
              let before = ask () in
              let inside = answering 2 (fun () -> way ask) in
              [ before; inside; ask () ])))

(* The handler drops the computation that waits; a task goes on by itself. *)
let handler_raises { in_each } =
  in_each Alcotest.string "caught 5, raised 6" (fun { way } ->
      let failing f = asked (fun k -> discontinue k (Planned 5)) f in
      match failing (fun () -> way (fun () -> try ask () with Planned n -> raise (Planned (n + 1)))) with
      | n -> string_of_int n
      | exception Planned n -> Printf.sprintf "caught %d, raised %d" (n - 1) n)

(* Closing the pool ends what the dropped computation was in the middle of. *)
let handler_drops { in_each } =
  in_each Alcotest.int 3
    (fun { way } -> asked (fun _ -> 3) (fun () -> way (fun () -> ask () + 100)))
    ~except:[ "in a limit" ]

(* The handler continues the captured computation later, when no other one is left. *)
let generator { in_each } =
  in_each
    Alcotest.(list int)
    [ 1; 2; 3 ]
    (fun { way } ->
      let next =
        ref (fun () ->
            way (fun () -> List.iter (fun n -> Effect.perform (Add n)) [ 1; 2; 3 ]);
            None)
      in
      let get () =
        added
          (fun n k ->
            (next := fun () -> continue k ());
            Some n)
          !next
      in
      let rec all () = match get () with Some n -> n :: all () | None -> [] in
      all ())

(* In each of the ways, whose parts are forks or tasks. *)
let handled ~parts ~caller ways =
  List.map
    (fun (name, test) -> case name (fun () -> test ways))
    [
      (Printf.sprintf "the %s's handler answers" caller, answers);
      (Printf.sprintf "a handler answers through several %s" parts, nested);
      (Printf.sprintf "the nearest handler of %s answers" parts, nearest_handler);
      (Printf.sprintf "a handler of %s may raise" parts, handler_raises);
      (Printf.sprintf "a handler of %s may drop the computation" parts, handler_drops);
      (Printf.sprintf "a handler of %s may continue the computation later" parts, generator);
    ]

(* On one domain also as a part that is not stolen. *)
let forks =
  ways (fun domains ->
      ("stolen", { way = (fun right -> stolen right) })
      :: (if domains = 1 then [ ("not stolen", { way = not_stolen }) ] else []))

let loops () =
  in_each_size @@ fun () ->
  let n = 300 in
  let sum f = snd (adding f) in
  let add i =
    Effect.perform (Add i);
    Weft.yield ()
  in
  let all = n * (n + 1) / 2 in
  check_int "parallel_for" all
    (sum (fun () -> Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:n ~body:add ()));
  check_int "all" all (sum (fun () -> ignore (Weft.all (List.init n (fun i () -> add (i + 1))))));
  check_int "Array.init" all (sum (fun () -> ignore (Weft.Array.init n (fun i -> add (i + 1)))));
  check_int "Seq.iter" all
    (sum (fun () -> Weft.Seq.iter add (Weft.Seq.mapi (fun i () -> i + 1) (Weft.Seq.init n ignore))))

(* --- ends of a part that performs an effect --- *)

(* The left side waits until the right one is parked or has received its exception. *)
let left_side_fails () =
  List.iter
    (fun domains ->
      on domains @@ fun () ->
      let ended = ref None and asked = Atomic.make false in
      (match
         answering 7 (fun () ->
             stolen
               ~left:(fun () ->
                 yield_until "the right side has asked" (fun () -> Atomic.get asked);
                 raise (Planned 1))
               (fun () ->
                 Atomic.set asked true;
                 match ask () with
                 | n -> ended := Some (Ok n)
                 | exception exn ->
                     ended := Some (Error exn);
                     check_int "in a shield" 7 (Weft.Cancel.shield ask)))
       with
      | () -> Alcotest.fail "the left side has raised"
      | exception Planned 1 -> ());
      match !ended with
      | Some (Error (Weft.Cancel.Cancelled _)) -> ()
      | Some (Error exn) -> raise exn
      | Some (Ok _) -> Alcotest.fail "answered, though no longer wanted"
      | None -> Alcotest.fail "not ended")
    sizes

let joiner_is_cancelled () =
  in_each_size @@ fun () ->
  let ended = ref false in
  let scope = Weft.Promise.create () in
  let asked = Atomic.make false in
  let task =
    Weft.async (fun () ->
        Weft.Scope.run (fun s ->
            ignore
              (Weft.Scope.async s (fun () ->
                   yield_until "asked" (fun () -> Atomic.get asked);
                   Weft.Scope.cancel s));
            answering 7 (fun () ->
                stolen
                  ~left:(fun () -> Weft.await scope)
                  (fun () ->
                    Atomic.set asked true;
                    match ask () with _ -> () | exception Weft.Cancel.Cancelled _ -> ended := true))))
  in
  (match Weft.await task with () -> () | exception Weft.Cancel.Cancelled _ -> ());
  check "ended" !ended

(* --- one side waits for the other --- *)

let deadlock () =
  Testing_pools.Deadlocks.detecting @@ fun () ->
  List.iter
    (fun domains ->
      let stuck () =
        let p = Weft.Promise.create () in
        answering 7 (fun () ->
            Weft.par (fun () -> Weft.await p) (fun () -> Weft.Promise.resolve p (ask ())) |> fst)
      in
      match on domains stuck with
      | _ -> Alcotest.fail "no deadlock"
      | exception Weft.Deadlock.Deadlock { fibers = [ { waits_for; _ } ]; _ } ->
          Alcotest.(check string) "who waits" "Weft.await" waits_for)
    sizes

(* --- limits --- *)

let limits () =
  List.iter
    (fun domains ->
      on domains @@ fun () ->
      let limit = Weft.Limit.create 1 in
      let inside = Atomic.make 0 in
      let alone f =
        check_int "alone" 0 (Atomic.fetch_and_add inside 1);
        let v = f () in
        Atomic.decr inside;
        v
      in
      check_int "answers" (20 * 7)
        (answering 7 (fun () ->
             Weft.Limit.run limit (fun () ->
                 stolen
                   ~left:(fun () -> alone ignore)
                   (fun () ->
                     List.fold_left
                       (fun sum () ->
                         alone ignore;
                         sum + ask ())
                       0 (List.init 20 ignore))))))
    sizes

(* --- handlers that effects do not reach --- *)

let unhandled what text f =
  match f () with
  | _ -> Alcotest.failf "%s: answered" what
  | exception (Effect.Unhandled Ask as exn) ->
      Testing.Text.check_contains what ~part:text (Printexc.to_string exn)

let not_asked f = unhandled "a handler outside" "around Weft.run" (fun () -> answering 7 f)

let outside () =
  List.iter
    (fun domains ->
      Weft.Pool.with_pool ~domains @@ fun pool ->
      List.iter
        (fun f -> not_asked (fun () -> Weft.Pool.run pool f))
        [
          ask;
          (fun () -> stolen ask);
          (fun () -> not_stolen ask);
          (fun () -> not_stolen (fun () -> stolen ask));
        ])
    sizes;
  not_asked (fun () -> Weft.run ask);
  not_asked (fun () -> fst (Weft.par ask ignore));
  not_asked (fun () -> not_stolen ask);
  in_each_size (fun () -> not_asked (fun () -> Weft.run ~domains:2 ask))

(* Short calls, which need no pool, like long ones. *)
let outside_in_short () =
  let refused_by what f =
    match answering 7 f with
    | _ -> Alcotest.failf "%s: the handler outside was asked" what
    | exception Effect.Unhandled Ask -> ()
  in
  let comparing x y = Effect.perform Ask - 7 + Int.compare x y in
  List.iter
    (fun n ->
      let a = Array.init n Fun.id in
      refused_by (Printf.sprintf "merge %d" n) (fun () -> Array.length (Weft.Array.merge comparing a a));
      refused_by (Printf.sprintf "all %d" n) (fun () -> List.length (Weft.all (List.init n (fun _ -> ask))));
      let b = Array.append a a in
      refused_by (Printf.sprintf "sort %d" n) (fun () ->
          Weft.Array.sort comparing b;
          0);
      refused_by (Printf.sprintf "exists %d" n) (fun () ->
          Bool.to_int (Weft.Array.exists (fun x -> comparing x x <> 0) a)))
    [ 1; 2; 20; 1000 ]

(* The helper thread is outside of all handlers. *)
let blocking () =
  let reason f =
    match answering 7 f with
    | _ -> Alcotest.fail "the handler was asked"
    | exception (Effect.Unhandled Ask as exn) ->
        check "a reason" (Testing.Text.contains "Weft.blocking" (Printexc.to_string exn))
  in
  in_each_size (fun () -> reason (fun () -> Weft.blocking ask));
  check_int "outside of pools" 7 (answering 7 (fun () -> Weft.blocking ask))

let tests =
  handled ~parts:"forks" ~caller:"caller" forks
  @ [
      case "the caller's handler answers in loops" loops;
      case "a part that is no longer wanted is not answered" left_side_fails;
      case "a part whose joiner is cancelled is not answered" joiner_is_cancelled;
      case "a side that waits for one that waits for an answer is a deadlock" deadlock;
      case "a part that waits for an answer leaves its limits" limits;
      case "handlers outside the pool see no effect" outside;
      case "handlers outside the pool see no effect of short calls" outside_in_short;
      case "handlers around a blocking call see no effect, with the reason" blocking;
    ]
