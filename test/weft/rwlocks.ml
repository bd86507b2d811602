open Support
open Crowd
module Rwlock = Weft.Rwlock

let is_free l =
  let free = Rwlock.try_write_lock l in
  if free then Rwlock.write_unlock l;
  free

(* The number of those inside: a reader counts one, a writer a thousand. *)
let enter inside weight ~limit = if Atomic.fetch_and_add inside weight >= limit then Alcotest.fail "not alone"
let leave inside weight = ignore (Atomic.fetch_and_add inside (-weight))

let section inside ~writes i =
  let weight = if writes then 1000 else 1 and limit = if writes then 1 else 1000 in
  enter inside weight ~limit;
  if i land 3 = 0 then Weft.yield ();
  leave inside weight

let readers_or_one_writer () =
  on_each_size @@ fun pool ->
  let l = Rwlock.create () and inside = Atomic.make 0 in
  everywhere pool ~fibers:10 ~threads:3 (fun me ->
      for i = 1 to 200 do
        let writes = (i + me) mod 5 = 0 in
        let section () = section inside ~writes i in
        if i land 1 = 0 then (if writes then Rwlock.write else Rwlock.read) l section
        else if writes then begin
          Rwlock.write_lock l;
          section ();
          Rwlock.write_unlock l
        end
        else begin
          Rwlock.read_lock l;
          section ();
          Rwlock.read_unlock l
        end
      done);
  check_bool "free at the end" true (is_free l)

let readers_together () =
  in_each_size @@ fun () ->
  let l = Rwlock.create () and inside = Atomic.make 0 in
  (* No reader leaves before all are in. *)
  let reader () =
    Rwlock.read l (fun () ->
        Atomic.incr inside;
        yield_until "the other readers are inside" (fun () -> Atomic.get inside >= 10))
  in
  ignore (Weft.all (List.init 10 (fun _ -> reader)))

let in_line_as_they_came () =
  Weft.run ~domains:1 @@ fun () ->
  let l = Rwlock.create () and log = ref [] in
  let note s = log := s :: !log in
  Rwlock.read_lock l;
  let kinds = [| 'r'; 'w'; 'r'; 'r'; 'w'; 'w'; 'r' |] in
  (* 2 and 3 stand together: neither leaves before both are in. *)
  let together = ref 0 in
  let stay i =
    if i = 2 || i = 3 then begin
      incr together;
      yield_until "both readers are in" (fun () -> !together = 2)
    end
    else Weft.yield ()
  in
  let waiters =
    in_line (Array.length kinds) (fun i ->
        let f () =
          note (Printf.sprintf "+%d" i);
          stay i;
          note (Printf.sprintf "-%d" i)
        in
        (if kinds.(i) = 'r' then Rwlock.read else Rwlock.write) l f)
  in
  check_bool "a reader does not overtake" false (Rwlock.try_read_lock l);
  Rwlock.read_unlock l;
  List.iter Weft.await waiters;
  (* The first reader went in at once. Of those that stand together, the one or the other comes first. *)
  let first = [ "+0"; "-0"; "+1"; "-1" ] and last = [ "+4"; "-4"; "+5"; "-5"; "+6"; "-6" ] in
  let order = List.rev !log in
  let is_order enter leave = order = first @ enter @ leave @ last in
  let either way = List.exists way [ [ "2"; "3" ]; [ "3"; "2" ] ] in
  let signed sign = List.map (fun i -> sign ^ i) in
  if not (either (fun e -> either (fun l -> is_order (signed "+" e) (signed "-" l)))) then
    Alcotest.failf "the order is %s" (String.concat " " order)

let nobody_starves () =
  (* Readers overlap for ever, until a writer has been in; and writers, until a reader has been in. *)
  let against ~crowd ~one =
    in_each_size @@ fun () ->
    let l = Rwlock.create () and over = Atomic.make false in
    let rec again () =
      if not (Atomic.get over) then begin
        crowd l Weft.yield;
        again ()
      end
    in
    ignore
      (Weft.all
         ((fun () ->
            Weft.yield ();
            one l (fun () -> Atomic.set over true))
         :: List.init 5 (fun _ -> again)))
  in
  against ~crowd:Rwlock.read ~one:Rwlock.write;
  against ~crowd:Rwlock.write ~one:Rwlock.read

let misuse () =
  let l = Rwlock.create () in
  let read_unlock () = raises_invalid "read" "Weft.Rwlock.read_unlock: " (fun () -> Rwlock.read_unlock l)
  and write_unlock () =
    raises_invalid "write" "Weft.Rwlock.write_unlock: " (fun () -> Rwlock.write_unlock l)
  in
  let unlocked () =
    read_unlock ();
    write_unlock ()
  in
  let written () =
    read_unlock ();
    raises_invalid "again" "Weft.Rwlock.write_lock: " (fun () -> Rwlock.write_lock l);
    raises_invalid "again" "Weft.Rwlock.read_lock: " (fun () -> Rwlock.read_lock l);
    raises_invalid "again" "Weft.Rwlock.read: " (fun () -> Rwlock.read l ignore);
    check_bool "try" false (Rwlock.try_write_lock l || Rwlock.try_read_lock l);
    elsewhere (fun () ->
        read_unlock ();
        write_unlock ())
  in
  unlocked ();
  Rwlock.read l write_unlock;
  unlocked ();
  Rwlock.write l written;
  unlocked ();
  (* The same with a fiber in the queue. *)
  let waiter = ref None in
  Rwlock.write l (fun () ->
      waiter := Some (Thread.create (fun () -> Rwlock.write l ignore) ());
      Thread.delay 0.02;
      written ());
  Option.iter Thread.join !waiter;
  unlocked ();
  Alcotest.check_raises "read" (Planned 1) (fun () -> Rwlock.read l (fun () -> raise (Planned 1)));
  Alcotest.check_raises "write" (Planned 2) (fun () -> Rwlock.write l (fun () -> raise (Planned 2)));
  Alcotest.check_raises "unlocked already" (Planned 3) (fun () ->
      Rwlock.write l (fun () ->
          Rwlock.write_unlock l;
          raise (Planned 3)));
  check_bool "free at the end" true (is_free l)

let who_gives_up_lets_others_in () =
  (* A reader waits behind a writer whose time is up, while others hold the lock for reading all along. *)
  Weft.run ~domains:1 @@ fun () ->
  let l = Rwlock.create () in
  Rwlock.read_lock l;
  let waiters =
    in_line 2 (fun i ->
        if i = 0 then
          match Rwlock.write_lock ~timeout:0.02 l with
          | () -> Alcotest.fail "written while being read"
          | exception Weft.Cancel.Timeout -> ()
        else Rwlock.read l ignore)
  in
  List.iter Weft.await waiters;
  Rwlock.read_unlock l;
  check_bool "free at the end" true (is_free l)

let many_give_up () =
  on_each_size @@ fun pool ->
  let l = Rwlock.create () and inside = Atomic.make 0 in
  everywhere pool ~fibers:10 ~threads:3 (fun me ->
      let rand = Random.State.make [| me |] in
      for i = 1 to 50 do
        let writes = (i + me) mod 3 = 0 and timeout = Random.State.float rand 0.002 in
        match (if writes then Rwlock.write_lock else Rwlock.read_lock) ~timeout l with
        | () ->
            section inside ~writes i;
            (if writes then Rwlock.write_unlock else Rwlock.read_unlock) l
        | exception Weft.Cancel.Timeout -> ()
      done);
  check_bool "free at the end" true (is_free l)

let alarms_leave_it_whole () =
  on_each_size @@ fun pool ->
  let l = Rwlock.create () and inside = Atomic.make 0 and over = Atomic.make false in
  let user me () =
    while not (Atomic.get over) do
      (if me = 0 then Rwlock.write else Rwlock.read) l (fun () -> section inside ~writes:(me = 0) 0)
    done
  in
  let fibers = List.init 3 (fun me -> Weft.Pool.async pool (user me)) in
  Fun.protect ~finally:(fun () -> Atomic.set over true) @@ fun () ->
  with_alarms pool ~every:0.002 ~at_least:50 (fun () ->
      Rwlock.write l ignore;
      Rwlock.read l ignore);
  Atomic.set over true;
  List.iter Weft.await fibers;
  check_bool "free at the end" true (is_free l)

let tests =
  [
    case "rwlock: many readers or one writer" readers_or_one_writer;
    case "rwlock: readers read at the same time" readers_together;
    case "rwlock: in line as they came, readers together" in_line_as_they_came;
    case "rwlock: neither side starves the other" nobody_starves;
    case "rwlock: misuse is told" misuse;
    case "rwlock: a waiter that gives up lets in those that it held up" who_gives_up_lets_others_in;
    case "rwlock: those that give up hold nothing" many_give_up;
    case "rwlock: signals' exceptions leave it whole" alarms_leave_it_whole;
  ]
