open Support

let apart f =
  let p = Weft.async f in
  yield_until "a task has ended" (fun () -> Weft.Promise.is_settled p);
  Weft.await p

let in_line n f = List.init n (fun i -> start_waiting (fun () -> f i))
let elsewhere f = Thread.join (Thread.create f ())

type shared = { mutable inside : int; mutable count : int }

let shared () = { inside = 0; count = 0 }

let work s i =
  if s.inside <> 0 then Alcotest.fail "not alone";
  s.inside <- 1;
  let before = s.count in
  if i land 3 = 0 then Weft.yield () else spin (i land 31);
  s.count <- before + 1;
  s.inside <- 0

let everywhere pool ~fibers ~threads f =
  let outside = List.init threads (fun i -> Thread.create f (fibers + i))
  and domain = Domain.spawn (fun () -> f (fibers + threads)) in
  Weft.Pool.run pool (fun () -> ignore (Weft.all (List.init fibers (fun i () -> f i))));
  List.iter Thread.join outside;
  Domain.join domain

let with_alarms pool ~every ~at_least f =
  let alarms = ref 0 in
  let rec for_ever () =
    f ();
    Weft.Cancel.check ();
    for_ever ()
  in
  watched (fun () -> Printf.sprintf "%d alarms of %d" !alarms at_least) @@ fun () ->
  let open Testing_pools.Alarms in
  with_alarms ~every (fun start ->
      start ();
      while !alarms < at_least do
        match Weft.Pool.run pool for_ever with () -> () | exception Alarm -> incr alarms
      done)
