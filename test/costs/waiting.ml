open Testing.Growth
open Table

(* n fibers wait, and one call resumes them all, or n calls resume one each. *)
let served name make wait serve =
  words name Linear (fun n ->
      let s = make n in
      served n (fun () -> wait s) (fun () -> serve s n))

(* A few calls while n fibers wait: none of them is resumed. *)
let beside name make wait f =
  few_of name
    (fun n ->
      let s = make n in
      waiting n (fun () -> wait s);
      s)
    f

let each n f =
  for i = 1 to n do
    f i
  done

let ones make _ = make ()

(* --- channels --- *)

let channels =
  let open Weft.Chan in
  let filled n =
    let c = unbounded () in
    each n (send c);
    c
  in
  let closed n =
    let c = filled n in
    close c;
    c
  in
  let receive c = try ignore (recv c) with Closed -> () in
  [
    few_of "bounded" Fun.id bounded;
    constant "unbounded" unbounded;
    constant "named" (fun () -> (named "a name" (unbounded ()) : unit t));
    few_of "close" filled close;
    served "close, of receivers that wait" (ones unbounded) receive (fun c _ -> close c);
    few_of "is_closed" filled is_closed;
    each_of "send" (ones unbounded) send;
    each_of "send, with a time-out" bounded (fun c i -> send ~timeout:1. c i);
    served "send, to those that wait" (ones unbounded) receive (fun c n -> each n (send c));
    each_of "recv" filled (fun c _ -> recv c);
    each_of "recv, with a time-out" filled (fun c _ -> recv ~timeout:1. c);
    served "recv, from those that wait"
      (fun _ -> bounded 0)
      (fun c -> send c 0)
      (fun c n -> each n (fun _ -> ignore (recv c)));
    each_of "recv_opt" filled (fun c _ -> recv_opt c);
    each_of "send_poll" bounded send_poll;
    each_of "try_send" bounded try_send;
    few_of "try_send, to a full one"
      (fun n ->
        let c = bounded n in
        each n (send c);
        c)
      (fun c -> try_send c 0);
    each_of "try_recv" filled (fun c _ -> try_recv c);
    each_of "recv_poll" filled (fun c _ -> recv_poll c);
    few_of "length" filled length;
    calls "iter" Linear (fun note n -> ignoring (iter (noting note ignore)) (closed n));
    whole "to_seq" closed (fun c -> Stdlib.Seq.iter ignore (to_seq c));
    beside "length, beside those that wait" (ones unbounded) (fun c -> ignore (recv c)) length;
  ]

(* --- locks --- *)

let locked _ =
  let m = Weft.Mutex.create () in
  Weft.Mutex.lock m;
  m

let through m = Weft.Mutex.protect m ignore

let mutexes =
  let open Weft.Mutex in
  let in_turn name f = each_of name (ones create) (fun m _ -> f m) in
  [
    constant "create" create;
    constant "create_fair" create_fair;
    constant "named" (fun () -> named "a name" (create ()));
    in_turn "lock" (fun m ->
        lock m;
        unlock m);
    in_turn "lock_timeout" (fun m ->
        lock_timeout 3600. m;
        unlock m);
    served "lock, in line" locked through (fun m _ -> unlock m);
    in_turn "try_lock" (fun m ->
        ignore (try_lock m : bool);
        unlock m);
    beside "try_lock, beside those that wait" locked through try_lock;
    in_turn "unlock" (fun m ->
        lock m;
        unlock m);
    in_turn "protect" (fun m -> protect m ignore);
  ]

let conditions =
  let open Weft.Condition in
  let make _ = (create (), Weft.Mutex.create ()) in
  let wait_in (c, m) = Weft.Mutex.protect m (fun () -> wait c m) in
  [
    constant "create" create;
    constant "named" (fun () -> named "a name" (create ()));
    served "wait" make wait_in (fun (c, _) _ -> broadcast c);
    served "wait_timeout" make
      (fun (c, m) -> Weft.Mutex.protect m (fun () -> wait_timeout 3600. c m))
      (fun (c, _) _ -> broadcast c);
    served "signal" make wait_in (fun (c, _) n -> each n (fun _ -> signal c));
    few_of "signal, of nobody" make (fun (c, _) -> signal c);
    served "broadcast" make wait_in (fun (c, _) _ -> broadcast c);
    few_of "broadcast, of nobody" make (fun (c, _) -> broadcast c);
  ]

let semaphores =
  let open Weft.Semaphore in
  let empty _ = create 0 in
  [
    few_of "create" Fun.id create;
    few_of "make" Fun.id make;
    constant "named" (fun () -> named "a name" (create 1));
    each_of "acquire" create (fun s _ -> acquire s);
    each_of "acquire_timeout" create (fun s _ -> acquire_timeout 3600. s);
    served "acquire, in line" empty (fun s -> acquire s) (fun s n -> each n (fun _ -> release s));
    each_of "try_acquire" create (fun s _ -> try_acquire s);
    beside "try_acquire, beside those that wait" empty (fun s -> acquire s) try_acquire;
    each_of "release" empty (fun s _ -> release s);
    few_of "available" create available;
    few_of "get_value" create get_value;
    beside "available, beside those that wait" empty (fun s -> acquire s) available;
    each_of "protect" create (fun s _ -> protect s ignore);
  ]

let rwlocks =
  let open Weft.Rwlock in
  let in_turn name f = each_of name (ones create) (fun l _ -> f l) in
  let written _ =
    let l = create () in
    write_lock l;
    l
  in
  [
    constant "create" create;
    constant "named" (fun () -> named "a name" (create ()));
    in_turn "read" (fun l -> read l ignore);
    in_turn "write" (fun l -> write l ignore);
    in_turn "read_lock" (fun l ->
        read_lock l;
        read_unlock l);
    served "read_lock, in line" written (fun l -> read l ignore) (fun l _ -> write_unlock l);
    in_turn "read_unlock" (fun l ->
        read_lock l;
        read_unlock l);
    in_turn "write_lock" (fun l ->
        write_lock l;
        write_unlock l);
    served "write_lock, in line" written (fun l -> write l ignore) (fun l _ -> write_unlock l);
    in_turn "write_unlock" (fun l ->
        write_lock l;
        write_unlock l);
    in_turn "try_read_lock" try_read_lock;
    beside "try_read_lock, beside those that wait" written (fun l -> read l ignore) try_read_lock;
    in_turn "try_write_lock" try_write_lock;
    beside "try_write_lock, beside those that wait" written (fun l -> read l ignore) try_write_lock;
  ]

(* --- cells --- *)

let ivars =
  let open Weft.Ivar in
  let full _ =
    let i = create () in
    fill i 0;
    i
  in
  [
    constant "create" create;
    constant "fill" (fun () -> fill (create ()) 0);
    served "fill, of those that wait" (ones create) (fun i -> ignore (read i)) (fun i _ -> fill i 0);
    few_of "try_fill" full (fun i -> try_fill i 1);
    served "try_fill, of those that wait" (ones create)
      (fun i -> ignore (read i))
      (fun i _ -> ignore (try_fill i 0));
    few_of "read" full (fun s -> read s);
    few_of "peek" full peek;
    beside "peek, beside those that wait" (ones create) (fun i -> read i) peek;
  ]

let mvars =
  let open Weft.Mvar in
  let empty _ = create () and full _ = create ~value:0 () in
  let take_it m = ignore (take m) and read_it m = ignore (read m) in
  [
    constant "create" (fun () -> create ~value:0 ());
    each_of "put" empty (fun m i ->
        put m i;
        take m);
    served "put, in line" full (fun m -> put m 0) (fun m n -> each n (fun _ -> take_it m));
    served "put, of readers that wait" empty read_it (fun m _ -> put m 0);
    each_of "take" empty (fun m i ->
        put m i;
        take m);
    served "take, in line" empty take_it (fun m n -> each n (put m));
    few_of "read" full (fun s -> read s);
    few_of "try_put" full (fun m -> try_put m 0);
    beside "try_put, beside those that wait" full (fun m -> put m 0) (fun m -> try_put m 0);
    few_of "try_take" empty try_take;
    few_of "try_read" full try_read;
    beside "try_read, beside those that wait" full (fun m -> put m 0) try_read;
  ]

let onces =
  let open Weft.Once in
  let computed _ =
    let o = make (fun () -> 0) in
    ignore (get o);
    o
  in
  let behind make_one =
    let go = Weft.Ivar.create () in
    (go, make_one (fun () -> Weft.Ivar.read go))
  in
  [
    constant "make" (fun () -> make ignore);
    few_of "get" computed get;
    served "get, in line" (fun _ -> behind make) (fun (_, o) -> get o) (fun (go, _) _ -> Weft.Ivar.fill go ());
    few_of "is_done" computed is_done;
    beside "is_done, beside those that wait" (fun _ -> snd (behind make)) get is_done;
  ]

(* --- counts --- *)

let latches =
  let open Weft.Latch in
  [
    few_of "create" Fun.id create;
    each_of "count_down" create (fun l _ -> count_down l);
    served "count_down, of those that wait" (fun _ -> create 1) (fun l -> wait l) (fun l _ -> count_down l);
    few_of "wait" (fun _ -> create 0) (fun l -> wait l);
    few_of "count" create count;
  ]

let barriers =
  let open Weft.Barrier in
  [
    few_of "create" (fun n -> n) create;
    served "wait" (fun n -> create (n + 1)) (fun b -> ignore (wait b)) (fun b _ -> ignore (wait b));
    few_of "wait, alone" (fun _ -> create 1) (fun b -> wait b);
  ]

(* --- to all --- *)

let broadcasts =
  let open Weft.Broadcast in
  let full n =
    let c = create n in
    each n (send c);
    c
  in
  let read n =
    let c = create n in
    let s = subscribe c in
    each n (send c);
    s
  in
  [
    words "create" Linear (ignoring create);
    each_of "send" create send;
    served "send, to those that wait"
      (fun _ -> create 1)
      (fun c -> ignore (recv (subscribe c)))
      (fun c _ -> if not (is_closed c) then send c 1);
    few_of "close" full close;
    few_of "is_closed" full is_closed;
    few_of "subscribe" full subscribe;
    each_of "recv" read (fun s _ -> recv s);
    each_of "try_recv" read (fun s _ -> try_recv s);
    each_of "recv_poll" read (fun s _ -> recv_poll s);
    few_of "unread" read unread;
  ]

let poisoning_mutexes =
  let open Weft.Poisoning_mutex in
  let poisoned () =
    let m = create () in
    (try protect m (fun () -> raise Exit) with Exit -> ());
    m
  in
  [
    constant "create" create;
    constant "create_fair" create_fair;
    constant "protect" (fun () -> protect (create ()) ignore);
    constant "protect_timeout" (fun () -> protect_timeout 3600. (create ()) ignore);
    constant "protect, that fails" (fun () -> try protect (poisoned ()) ignore with Poisoned _ -> ());
    constant "repair" (fun () -> repair (poisoned ()) ignore);
    constant "repair_timeout" (fun () -> repair_timeout 3600. (poisoned ()) ignore);
    served "wait"
      (fun _ -> (Weft.Condition.create (), create ()))
      (fun (c, m) -> protect m (fun () -> wait m c))
      (fun (c, _) _ -> Weft.Condition.broadcast c);
    constant "wait_timeout" (fun () ->
        let m = create () in
        protect m (fun () ->
            try wait_timeout 0. m (Weft.Condition.create ()) with Weft.Cancel.Timeout -> ()));
    constant "failure" (fun () -> failure (poisoned ()));
    constant "mutex" (fun () -> mutex (create ()));
  ]

(* --- the first of several --- *)

let selects =
  let open Weft.Select in
  let c = Weft.Chan.unbounded () and p = Weft.Promise.of_value 0 and m = Weft.Mutex.create () in
  let empty n = List.init n (fun _ -> recv (Weft.Chan.unbounded ()) Fun.id) in
  let full n =
    List.init n (fun i ->
        let c = Weft.Chan.unbounded () in
        Weft.Chan.send c i;
        recv c Fun.id)
  in
  [
    constant "recv" (fun () -> recv c Fun.id);
    constant "send" (fun () -> send c 0 Fun.id);
    constant "await" (fun () -> await p Fun.id);
    constant "lock" (fun () -> lock m Fun.id);
    constant "timeout" (fun () -> timeout 1. Fun.id);
    constant "ivar" (fun () -> ivar (Weft.Ivar.create ()) Fun.id);
    constant "latch" (fun () -> latch (Weft.Latch.create 1) Fun.id);
    constant "take" (fun () -> take (Weft.Mvar.create ()) Fun.id);
    constant "put" (fun () -> put (Weft.Mvar.create ()) 1 Fun.id);
    constant "read" (fun () -> read (Weft.Mvar.create ()) Fun.id);
    constant "acquire" (fun () -> acquire (Weft.Semaphore.create 1) Fun.id);
    constant "condition" (fun () -> condition (Weft.Condition.create ()) m Fun.id);
    constant "wrap" (fun () -> wrap never Fun.id);
    constant "guard" (fun () -> guard (fun () -> never));
    constant "always" (fun () -> always 1);
    constant "never" (fun () -> never);
    whole "select" full select;
    whole "select_in_order" full select_in_order;
    words "try_select_in_order" Linear_log (fun n -> ignoring try_select_in_order (full n));
    words "poll_in_order" Linear_log (fun n -> ignoring poll_in_order (full n));
    words "select, that waits" Linear_log (fun n ->
        let go = Weft.Chan.unbounded () in
        let cases = empty (n - 1) @ [ recv go Fun.id ] in
        Table.served 1 (fun () -> ignore (select cases)) (fun () -> Weft.Chan.send go 0));
    words "poll" Linear_log (fun n -> ignoring poll (full n));
    words "try_select" Linear_log (fun n -> ignoring try_select (full n));
    words "poll, of what cannot be done" Linear_log (fun n -> ignoring poll (empty n));
  ]

(* --- all of them --- *)

let tables =
  let table ?(folder = "lib/sync/") name file cases =
    {
      prefix = "Weft." ^ name ^ ".";
      files = [ folder ^ file ^ ".mli" ];
      sizes = sizes [ 100; 1000 ];
      in_pool = true;
      cases;
      except = [];
    }
  in
  [
    table "Chan" "chan" channels;
    table "Mutex" "fiber_mutex" mutexes;
    table "Condition" "fiber_condition" conditions;
    table "Semaphore" "fiber_semaphore" semaphores;
    table "Rwlock" "rwlock" rwlocks;
    table "Ivar" "ivar" ivars;
    table "Mvar" "mvar" mvars;
    table "Once" "once" onces;
    table "Latch" "latch" latches;
    table "Barrier" "barrier" barriers;
    table "Broadcast" "broadcast" broadcasts;
    table "Poisoning_mutex" "poisoning_mutex" poisoning_mutexes;
    table ~folder:"lib/weft/" "Select" "select" selects;
  ]
