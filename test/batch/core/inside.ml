(** What calls count as inside a structure, and what they may do there. *)

open Subject
open Support

let calls_from_inside_are_refused () =
  on_each_size (fun () ->
      let b = B.create (make ()) in
      let inside what f = refused what (fun () -> B.exec b (Call f)) in
      inside "exec" (fun () -> B.exec b Get);
      inside "exec_many" (fun () -> Array.length (B.exec_many b [| Get |]));
      inside "exclusive" (fun () -> B.exclusive b ignore);
      inside "quiesce" (fun () -> B.quiesce b);
      refused "inside exclusive" (fun () -> B.exclusive b (fun _ -> B.exec b Get));
      refused "a fork inside exclusive" (fun () ->
          B.exclusive b (fun _ -> each 0 64 (fun _ -> ignore (B.exec b Get : int))));
      let m = B.create ~cutoff:(`Fixed 1) (make ()) in
      refused "inside a batch" (fun () -> B.exec_many m [| Call (fun () -> B.exec m Get); Get |]);
      refused "a fork inside a batch" (fun () ->
          B.exec_many m [| Call (fun () -> each 0 64 (fun _ -> ignore (B.exec m Get : int))) |]);
      (* The structure goes on afterwards. *)
      check_int "afterwards" 0 (B.exec b (Add 1));
      check_int "afterwards" 0 (B.exec m (Add 1)));
  let b = B.create (make ()) in
  refused "outside of a pool" (fun () -> B.exec b (Call (fun () -> B.exec b Get)));
  check_int "afterwards" 0 (B.exec b (Add 1))

(* Calls that have just ended do not count as inside. *)
let others_are_not_refused () =
  on_each_size (fun () ->
      let b = B.create (make ()) in
      each 0 3_000 (fun i -> if i mod 3 = 0 then B.exclusive b (fun _ -> Weft.yield ()) else meet b 2))

(* The left side goes on until the right side is done, so the right side runs in a fiber of its own. *)
let beside right =
  let ended = Atomic.make false in
  let until_then () =
    while not (Atomic.get ended) do
      Weft.yield ()
    done
  in
  let then_end () = Fun.protect right ~finally:(fun () -> Atomic.set ended true) in
  snd (Weft.par until_then then_end)

let a_stolen_fork_of_an_operation_is_refused () =
  on_each_size (fun () ->
      let b = B.create (make ()) and m = B.create ~cutoff:(`Fixed 1) (make ()) in
      for _ = 1 to 20 do
        refused "in place" (fun () -> B.exec b (Call (fun () -> beside (fun () -> B.exec b Get))));
        refused "a fork of a fork" (fun () ->
            B.exec b (Call (fun () -> beside (fun () -> beside (fun () -> B.exec b Get)))));
        refused "through another structure" (fun () ->
            B.exec b (Call (fun () -> beside (fun () -> B.exec m (Call (fun () -> B.exec b Get))))));
        refused "in a batch" (fun () ->
            B.exec_many m [| Call (fun () -> beside (fun () -> B.exec m Get)); Get |]);
        refused "in exclusive" (fun () -> B.exclusive b (fun _ -> beside (fun () -> B.exec b Get)))
      done;
      check_int "afterwards" 0 (B.exec b (Add 1)))

(* A fork of the same fiber, but older than its operation at the structure. *)
let a_fork_made_before_is_not_refused () =
  on_each_size (fun () ->
      let b = B.create (make ()) in
      for i = 0 to 49 do
        let calls = Atomic.make false in
        let wait () =
          while not (Atomic.get calls) do
            Weft.yield ()
          done;
          Weft.yield ()
        in
        let call () =
          Atomic.set calls true;
          B.exec b (Add 1)
        in
        let (), before = Weft.par (fun () -> B.exec b (Call wait)) call in
        check_int "before" i before
      done)

let what_is_forked_outside_of_a_pool_is_refused () =
  let b = B.create (make ()) and m = B.create ~cutoff:(`Fixed 1) (make ()) in
  let forks b () = each 0 64 (fun _ -> ignore (B.exec b Get : int)) in
  refused "exclusive" (fun () -> B.exclusive b (fun _ -> B.exec b Get));
  refused "a fork in exclusive" (fun () -> B.exclusive b (fun _ -> forks b ()));
  refused "a batch" (fun () -> B.exec_many m [| Call (fun () -> B.exec m Get); Get |]);
  refused "a fork in a batch" (fun () -> B.exec_many m [| Call (forks m); Call ignore |]);
  check_int "afterwards" 0 (B.exec b (Add 1));
  check_int "afterwards" 0 (B.exec m (Add 1))

let key = Weft.Local.Task_local.create ~default:0

let exclusive_is_part_of_its_caller () =
  let bound b =
    Weft.Local.Task_local.with_value key 7 (fun () ->
        check_int "bound in exclusive" 7 (B.exclusive b (fun _ -> Weft.Local.Task_local.get key));
        let get = Call (fun () -> Weft.Local.Task_local.get key) in
        check_int "in place" 7 (B.exec b get);
        check "in a batch of one's own" (B.exec_many b [| get; get |] = [| 7; 7 |]))
  in
  bound (B.create (make ()));
  on_each_size (fun () ->
      let b = B.create (make ()) in
      bound b;
      (match Weft.Cancel.with_timeout 0.01 (fun () -> B.exclusive b (fun _ -> Weft.sleep 3600.)) with
      | () -> Alcotest.fail "not cancelled"
      | exception Weft.Cancel.Timeout -> ());
      check_int "afterwards" 0 (B.exec b (Add 1)))

let a_batch_is_not_cancelled_with_its_caller () =
  on_each_size (fun () ->
      let b = B.create (make ()) in
      let token = Weft.Cancel.create () in
      let ended = ref false in
      let many () =
        ignore
          (B.exec_many b
             [|
               Call (fun () -> Weft.Cancel.cancel token);
               Call
                 (fun () ->
                   Weft.sleep 0.001;
                   ended := true);
             |]
            : unit array);
        Weft.yield ()
      in
      (match Weft.Cancel.within token many with
      | () -> Alcotest.fail "not cancelled"
      | exception Weft.Cancel.Cancelled _ -> ());
      check "all of it was applied" !ended)

let exclusive_excludes () =
  on_each_size (fun () ->
      let s = make () in
      let b = B.create s in
      each 0 1_000 (fun i ->
          if i mod 10 = 0 then
            B.exclusive b (fun s ->
                let before = s.value in
                Weft.yield ();
                s.value <- before + 1)
          else ignore (B.exec b (Add 1) : int));
      check_int "sum" 1_000 (B.exec b Get);
      (match B.exclusive b (fun _ -> raise Broken) with
      | () -> Alcotest.fail "no exception"
      | exception Broken -> ());
      check_int "sum" 1_000 (B.exclusive b (fun s -> s.value)))

let tests =
  [
    case "calls from inside are refused" calls_from_inside_are_refused;
    case "others are not refused" others_are_not_refused;
    case "a stolen fork of an operation is refused" a_stolen_fork_of_an_operation_is_refused;
    case "a fork made before is not refused" a_fork_made_before_is_not_refused;
    case "what is forked outside of a pool is refused" what_is_forked_outside_of_a_pool_is_refused;
    case "exclusive excludes" exclusive_excludes;
    case "exclusive is part of its caller" exclusive_is_part_of_its_caller;
    case "a batch is not cancelled with its caller" a_batch_is_not_cancelled_with_its_caller;
  ]
