(* What a body enters counts for that body alone: a binding, a token, a time-out, a scope. Where the body waits in
   it, the rest of the loop becomes a job, and that has the loop's own context. *)

open Support
module Cancel = Weft.Cancel
module Task_local = Weft.Local.Task_local

let key = Task_local.create ~default:"none"
let for_ever () = Weft.await (Weft.Promise.create ())

exception Failed

(* Each enters something, waits there, and is ended with it. *)
let entered =
  [
    ("a binding", fun () -> Task_local.with_value key "inner" Weft.yield);
    ( "a token",
      fun () ->
        let token = Cancel.create () in
        let canceller =
          Weft.async (fun () ->
              Weft.yield ();
              Cancel.cancel token)
        in
        (match Cancel.within token for_ever with () -> () | exception Cancel.Cancelled _ -> ());
        Weft.await canceller );
    ("a time-out", fun () -> try Cancel.with_timeout 1e-3 for_ever with Cancel.Timeout -> ());
    ( "a scope",
      fun () ->
        let fail () =
          Weft.yield ();
          raise Failed
        in
        try
          Weft.Scope.run (fun s ->
              Weft.Scope.start s fail;
              for_ever ())
        with Failed -> () );
  ]

(* The first body that runs enters it; the others begin meanwhile, and go on after its end. *)
let for_one_body ~what ~inside loop n =
  let is_first = Atomic.make true in
  let body () =
    if Atomic.exchange is_first false then inside ()
    else begin
      Alcotest.(check string) what "outer" (Task_local.get key);
      Weft.yield ();
      Cancel.check ()
    end
  in
  watched (fun () -> what) (fun () -> Task_local.with_value key "outer" (fun () -> loop n body))

let in_all loops () =
  List.iter
    (fun (what, loop) ->
      List.iter
        (fun (where, inside) ->
          List.iter
            (fun n -> for_one_body ~what:(Printf.sprintf "%s of %d, %s" what n where) ~inside loop n)
            [ 2; 3; 5; 20; 63 ])
        entered)
    loops

let short = List.map (fun (what, loop) -> (what, fun n body -> loop n (fun _ -> body ()))) Short_loops.loops

let tests =
  [
    case "what a body enters counts for it alone" (fun () -> in_each_size (in_all Waiting_bodies.loops));
    case "in short loops, too" (fun () -> Short_loops.everywhere (in_all short));
  ]
