open Support
open Endings
module Cancel = Weft.Cancel
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

(* --- odd uses --- *)

let closed () =
  let test () =
    let s = Scope.run Fun.id in
    raises_invalid "closed" "Weft.Scope.async: " (fun () -> Scope.async s ignore);
    Scope.cancel s;
    Scope.cancel ~reason:"late" s;
    check_numbers "no failures" [] s;
    Weft.yield ();
    let escaped = ref None in
    fails_with "failed" (Planned 1) (fun () ->
        Scope.run (fun s ->
            escaped := Some s;
            planned 1 ()));
    raises_invalid "closed" "Weft.Scope.async: " (fun () -> Scope.async (Option.get !escaped) ignore);
    check_numbers "failures" [ 1 ] (Option.get !escaped)
  in
  test ();
  in_each_size test;
  (* The scope is open as long as a task runs, though the body has returned. *)
  in_each_size @@ fun () ->
  let ran = ref false in
  Scope.run (fun s ->
      ignore
        (Scope.async s (fun () ->
             Weft.sleep 0.001;
             ignore (Scope.async s (fun () -> ran := true)))));
  check_bool "a late task ran" true !ran

let from_outside () =
  on_each_size @@ fun pool ->
  in_threads 4 (fun i ->
      for k = 1 to 20 do
        let total =
          Pool.run pool (fun () ->
              Scope.run (fun s ->
                  let a = Scope.async s (fun () -> i) in
                  (* A thread gives the scope a task: the scope waits for that task, too. *)
                  let ran = Atomic.make 0 in
                  Thread.join
                    (Thread.create
                       (fun () ->
                         ignore
                           (Scope.async s (fun () ->
                                Weft.sleep 0.0001;
                                Atomic.incr ran)))
                       ());
                  let b = Scope.async s (fun () -> k) in
                  Weft.await a + Weft.await b))
        in
        check_int "from a thread" (i + k) total
      done);
  let ran = Atomic.make 0 in
  Pool.run pool (fun () ->
      Scope.run (fun s ->
          let add () =
            for _ = 1 to 50 do
              ignore (Scope.async s (fun () -> Atomic.incr ran))
            done
          in
          Domain.join (Domain.spawn add)));
  check_int "from a domain" 50 (Atomic.get ran)

let local_values () =
  let module Task_local = Weft.Local.Task_local in
  let key = Task_local.create ~default:0 in
  in_each_size @@ fun () ->
  let see what v () = check_int what v (Task_local.get key) in
  Task_local.with_value key 1 (fun () ->
      Scope.run (fun s ->
          see "the body" 1 ();
          let a = Scope.async s (see "a task" 1) in
          let b =
            Task_local.with_value key 2 (fun () ->
                Scope.async s (fun () ->
                    see "where it was made" 2 ();
                    Weft.yield ();
                    see "later" 2 ()))
          in
          Task_local.with_value key 3 (fun () ->
              Weft.await a;
              Weft.await b;
              see "the awaiter's" 3 ())));
  see "outside" 0 ()

let pool_closed () =
  (* Nobody will resume these fibers: closing the pool ends them with their scopes. *)
  List.iter
    (fun domains ->
      let finalised = Atomic.make 0 in
      let pool = Pool.create ~domains () in
      let waits () =
        Fun.protect ~finally:(fun () -> Atomic.incr finalised) (fun () -> Weft.await (Promise.create ()))
      in
      let outcome =
        Pool.async pool (fun () ->
            Scope.run (fun s ->
                ignore (Scope.async s waits);
                ignore (Scope.async s waits);
                waits ()))
      and body_over =
        Pool.async pool (fun () -> Scope.run (fun s -> ignore (Scope.async s waits : unit Weft.promise)))
      in
      fibers_wait pool 1;
      returns "closing" (fun () -> Pool.close pool);
      List.iter
        (fun outcome ->
          match Weft.await outcome with
          | () -> Alcotest.fail "not closed"
          | exception (Pool.Closed _ | Cancel.Cancelled _) -> ())
        [ outcome; body_over ];
      check_bool "finalisers" true (Atomic.get finalised >= 1))
    sizes

let stress () =
  let rounds = if is_tiny then 100 else 400 in
  Pool.with_pool ~domains:8 @@ fun pool ->
  Pool.run pool @@ fun () ->
  let inside = inside () and kinds = Array.make 3 0 in
  for i = 1 to rounds do
    let task s n () =
      visit inside (fun () ->
          spin (i * n * 37 mod 2000);
          match n mod 5 with
          | 0 -> Weft.yield ()
          | 1 -> ignore (fib 7)
          | 2 -> Weft.sleep 1e-5
          | 3 -> ignore (Scope.async s (fun () -> visit inside (fun () -> spin 500)))
          | _ -> if i mod 3 = 0 then planned n ())
    in
    let body s =
      for n = 1 to 10 do
        ignore (Scope.async s (task s n))
      done;
      spin (i * 97 mod 5000);
      if i mod 3 = 1 then Scope.cancel ~reason:"now" s;
      Weft.yield ()
    in
    let on_failure = if i land 1 = 0 then Scope.Cancel_rest else Keep_going in
    (match Scope.run ~on_failure body with
    | () -> kinds.(0) <- kinds.(0) + 1
    | exception Cancel.Cancelled "now" -> kinds.(1) <- kinds.(1) + 1
    | exception Planned (4 | 9) -> kinds.(2) <- kinds.(2) + 1);
    nobody_inside "afterwards" inside
  done;
  check_bool "all kinds of ends" true (Array.for_all (fun n -> n > 0) kinds)

let tests =
  [
    case "a closed scope is closed" closed;
    case "threads and domains start tasks" from_outside;
    case "tasks see what was bound where they were made" local_values;
    case "closing a pool ends the scopes that wait in it" pool_closed;
    case "many scopes, failures and requests" stress;
  ]
