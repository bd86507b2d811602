(* Programs without data races: what one task has written, another may read when Weft orders the two. [publishes NAME] runs one,
   [publishes] all. ThreadSanitizer must not report any line of this file. *)

let spin n =
  for _ = 1 to n do
    ignore (Sys.opaque_identity n)
  done

let rounds = 200

(* The task writes, whoever awaits it reads: it awaits before its end, or after. *)
let await () =
  for k = 1 to rounds do
    let r = ref 0 in
    let p =
      Weft.async (fun () ->
          spin 20_000;
          r := k)
    in
    spin (if k mod 2 = 0 then 60_000 else 10);
    Weft.await p;
    assert (!r = k)
  done

let par () =
  for k = 1 to rounds do
    let a = Array.make 2 0 in
    a.(0) <- k;
    let x, y =
      Weft.par
        (fun () ->
          spin 40_000;
          a.(0))
        (fun () ->
          spin 10_000;
          a.(1) <- k;
          a.(0))
    in
    assert (x = k && y = k && a.(1) = k)
  done

let loops () =
  let n = 100_000 in
  for k = 1 to 20 do
    let a = Array.make n k in
    Weft.parallel_for ~start:0 ~finish:(n - 1) ~body:(fun i -> a.(i) <- a.(i) + 1) ();
    Array.iter (fun x -> assert (x = k + 1)) a;
    let sum = Weft.parallel_for_reduce ~start:0 ~finish:(n - 1) ~body:(fun i -> a.(i)) ( + ) 0 in
    assert (sum = n * (k + 1));
    Weft.Array.sort compare a
  done

let chans () =
  List.iter
    (fun make ->
      Weft.run @@ fun () ->
      let c : int ref Weft.Chan.t = make () in
      let send () =
        for i = 1 to 2_000 do
          Weft.Chan.send c (ref i)
        done;
        Weft.Chan.close c
      in
      ignore (Weft.par send (fun () -> Weft.Chan.iter incr c)))
    [ (fun () -> Weft.Chan.bounded 0); (fun () -> Weft.Chan.bounded 4); Weft.Chan.unbounded ]

let locks () =
  let count = 8 and times = 200 in
  let protected protect =
    let r = ref 0 in
    let add () =
      for _ = 1 to times do
        protect (fun () -> incr r)
      done
    in
    ignore (Weft.all (List.init count (fun _ -> add)));
    assert (!r = count * times)
  in
  let m = Weft.Mutex.create () in
  protected (fun f -> Weft.Mutex.protect m f);
  let s = Weft.Semaphore.create 1 in
  protected (fun f ->
      Weft.Semaphore.acquire s;
      f ();
      Weft.Semaphore.release s)

(* Resolved by a task or a thread that is not a task of the promise. *)
let promises () =
  for k = 1 to rounds do
    let r = ref 0 and p = Weft.Promise.create () in
    let resolve () =
      spin 1_000;
      r := k;
      Weft.Promise.resolve p ()
    in
    let (), () = Weft.par resolve (fun () -> Weft.await p) in
    assert (!r = k);
    let q = Weft.Promise.create () and s = ref 0 in
    let read () =
      Weft.await q;
      !s
    in
    let reads = List.init 3 (fun _ -> Weft.async read) in
    s := k;
    Weft.Promise.resolve q ();
    List.iter (fun read -> assert (Weft.await read = k)) reads
  done

let scopes () =
  for k = 1 to rounds do
    let a = Array.make 8 0 in
    Weft.Scope.run (fun s ->
        for i = 0 to 7 do
          ignore (Weft.Scope.async s (fun () -> a.(i) <- k) : unit Weft.Promise.t)
        done);
    Array.iter (fun x -> assert (x = k)) a
  done

let batched () =
  let c = Weft_batch.Counter.create () in
  let add () =
    for _ = 1 to 200 do
      Weft_batch.Counter.incr c
    done
  in
  ignore (Weft.all (List.init 8 (fun _ -> add)));
  assert (Weft_batch.Counter.get c = 1_600)

let programs =
  [
    ("await", await);
    ("par", par);
    ("loops", loops);
    ("chans", chans);
    ("locks", locks);
    ("promises", promises);
    ("scopes", scopes);
    ("batched", batched);
  ]

let () =
  match Sys.argv with
  | [| _; name |] -> (List.assoc name programs) ()
  | _ -> List.iter (fun (_, f) -> f ()) programs
