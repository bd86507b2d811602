open Support
module Pool = Weft.Pool
module Promise = Weft.Promise

(* Tasks block their workers until a thread or a domain has ended, which waits for Weft itself, from
   outside. *)

(* [Thread.join] returns no result: this returns or raises what the thread's function did. *)
let joined f =
  let outcome = ref (Error Exit) in
  Thread.join (Thread.create (fun () -> outcome := try Ok (f ()) with exn -> Error exn) ());
  match !outcome with Ok v -> v | Error exn -> raise exn

(* More callers than workers, so that the calls find no free worker. *)
let more p = (2 * Pool.domains p) + 1

let rec resolve_later promise n =
  if n = 0 then Promise.resolve promise ()
  else begin
    Weft.yield ();
    resolve_later promise (n - 1)
  end

(* The ways in which a thread calls Weft. A task calls each with [i], and the thread's call returns [i]. *)
let ways p =
  [
    ("Pool.run", fun i -> joined (fun () -> Pool.run p (fun () -> i)));
    ( "a fiber that waits",
      fun i ->
        joined (fun () ->
            Pool.run p (fun () ->
                Weft.yield ();
                Weft.sleep 1e-4;
                i)) );
    ("forks", fun i -> joined (fun () -> Pool.run p (fun () -> fib 15 - fib_of 15 + i)));
    ( "a loop",
      fun i ->
        joined (fun () ->
            let found = Atomic.make 0 in
            Pool.run p (fun () ->
                let body _ =
                  Weft.yield ();
                  Atomic.incr found
                in
                Weft.parallel_for ~start:1 ~finish:i ~body ());
            Atomic.get found) );
    ("async, await", fun i -> joined (fun () -> Weft.await (Pool.async p (fun () -> i))));
    ("in the background", fun i -> joined (fun () -> Weft.await (Pool.async ~priority:Low p (fun () -> i))));
    ( "a task of the blocked worker",
      fun i ->
        let task = Weft.async (fun () -> i) in
        joined (fun () -> Weft.await task) );
    ( "a fiber that a timer resumes",
      fun i ->
        let asleep =
          Weft.async (fun () ->
              Weft.sleep 1e-3;
              i)
        in
        Weft.yield ();
        joined (fun () -> Weft.await asleep) );
    ( "a channel",
      fun i ->
        let c = Weft.Chan.bounded 1 in
        let sender = Weft.async (fun () -> Weft.Chan.send c i) in
        let got = joined (fun () -> Weft.Chan.recv c) in
        Weft.await sender;
        got );
    ( "a mutex",
      fun i ->
        let m = Weft.Mutex.create () and go = Promise.create () in
        let owner = Weft.async (fun () -> Weft.Mutex.protect m (fun () -> Weft.await go)) in
        Weft.yield ();
        let later = Weft.async (fun () -> resolve_later go 3) in
        let got = joined (fun () -> Weft.Mutex.protect m (fun () -> i)) in
        Weft.await owner;
        Weft.await later;
        got );
    ( "a time-out",
      fun i ->
        joined (fun () ->
            Pool.run p (fun () ->
                match Weft.Cancel.with_timeout 1e-3 (fun () -> Weft.sleep 1e6) with
                | () -> -1
                | exception Weft.Cancel.Timeout -> i)) );
    ( "a failure",
      fun i -> try joined (fun () -> Pool.run p (fun () -> raise (Planned i))) with Planned j -> j );
  ]

let each_way () =
  on_each_size @@ fun p ->
  List.iter
    (fun (name, way) ->
      let n = more p in
      let got = Pool.run p (fun () -> Weft.all (List.init n (fun i () -> way i))) in
      Alcotest.(check (list int)) name (List.init n Fun.id) got)
    (ways p)

(* No thread ends before all tasks have begun, so the pool needs that many workers. *)
let together p =
  let n = more p in
  let all = Promise.create () and begun = Atomic.make 0 in
  let body i () =
    if Atomic.fetch_and_add begun 1 = n - 1 then Promise.resolve all ();
    joined (fun () ->
        Weft.await all;
        i)
  in
  Alcotest.(check (list int))
    "values" (List.init n Fun.id)
    (Pool.run p (fun () -> Weft.all (List.init n body)))

let all_at_once () = on_each_size together

let one_below_the_other () =
  on_each_size @@ fun p ->
  let rec call n = Pool.run p (fun () -> if n = 0 then 0 else 1 + joined (fun () -> call (n - 1))) in
  check_int "depth" 20 (call 20)

let through_another_pool () =
  on_each_size @@ fun p ->
  let q = Pool.create ~domains:1 () in
  let body i () =
    (* A task of p. The worker of q is blocked by a thread that waits for a task of p that runs in q. *)
    let go = Promise.create () in
    let through =
      Pool.async p (fun () ->
          Pool.run q (fun () ->
              Promise.resolve go ();
              i))
    in
    let blocked =
      Pool.async q (fun () ->
          joined (fun () ->
              Weft.await go;
              Weft.await through))
    in
    joined (fun () -> Weft.await blocked)
  in
  let n = more p in
  let got = Pool.run p (fun () -> Weft.all (List.init n body)) in
  Pool.close q;
  Alcotest.(check (list int)) "values" (List.init n Fun.id) got

let service () =
  (* One thread serves all tasks, each of which blocks until it has its answer. If the thread ran such a
     task while it waits for its own call, nobody would ever answer. *)
  on_each_size @@ fun p ->
  let lock = Stdlib.Mutex.create () and changed = Stdlib.Condition.create () in
  let requests = Queue.create () in
  let ask i () =
    let answer = ref None in
    Stdlib.Mutex.protect lock (fun () ->
        Queue.push (Some (i, answer)) requests;
        Stdlib.Condition.broadcast changed;
        while !answer = None do
          Stdlib.Condition.wait changed lock
        done);
    Option.get !answer
  in
  let next () =
    Stdlib.Mutex.protect lock (fun () ->
        while Queue.is_empty requests do
          Stdlib.Condition.wait changed lock
        done;
        Queue.pop requests)
  in
  let rec serve () =
    match next () with
    | None -> ()
    | Some (i, answer) ->
        let found =
          Pool.run p (fun () ->
              Weft.sleep 1e-4;
              i)
        in
        Stdlib.Mutex.protect lock (fun () ->
            answer := Some found;
            Stdlib.Condition.broadcast changed);
        serve ()
  in
  let n = more p in
  Pool.run p (fun () ->
      let server = Thread.create serve () in
      let got = List.map Weft.await (List.init n (fun i -> Pool.async p (ask i))) in
      Stdlib.Mutex.protect lock (fun () ->
          Queue.push None requests;
          Stdlib.Condition.broadcast changed);
      Thread.join server;
      Alcotest.(check (list int)) "answers" (List.init n Fun.id) got)

let domain_of_the_caller () =
  (* More tasks than there are workers join a domain, which calls Weft when they block all workers. The
     domain ends only if no extra worker started for its call is a thread of it. *)
  on_each_size @@ fun p ->
  let n = Pool.domains p and begun = Atomic.make 0 in
  let caller i () =
    Testing.Watchdog.until "all workers are blocked" (fun () -> Atomic.get begun >= n);
    Pool.run p (fun () -> i)
  in
  let domain = Domain.spawn (caller 7) in
  let body _ () =
    Atomic.incr begun;
    Domain.join domain
  in
  Alcotest.(check (list int))
    "values"
    (List.init (more p) (fun _ -> 7))
    (Pool.run p (fun () -> Weft.all (List.init (more p) body)))

(* Each call is made while the earlier ones hold their workers. *)
let numbers_are_different () =
  on_each_size @@ fun p ->
  let rec numbers depth =
    let number = Pool.worker_index () in
    number :: (if depth = 0 then [] else joined (fun () -> Pool.run p (fun () -> numbers (depth - 1))))
  in
  let all = Pool.run p (fun () -> numbers (more p)) in
  check_int "different numbers" (List.length all) (List.length (List.sort_uniq compare all));
  Alcotest.(check bool) "none is negative" true (List.for_all (fun n -> n >= 0) all)

let extra_workers_end () =
  on_each_size @@ fun p ->
  together p;
  let of_p = state_of p in
  Alcotest.(check bool) "there were some" true (of_p.fallbacks <> []);
  wait_until "their domains have ended" (fun () ->
      List.for_all Weft_platform.Runtime_threads.has_ended of_p.fallbacks)

let closed_by_a_domain_that_is_joined () =
  (* A task of the pool joins the domain whose thread, in the slot of another pool, begins to close it. That
     call does not wait for the closing; so the domain must not, either. *)
  on_each_size @@ fun q ->
  let p = Pool.create ~domains:1 () in
  let of_p = state_of p and begun = Atomic.make false and closed = Promise.create () in
  let close () =
    Pool.close p;
    Promise.resolve closed ()
  in
  let call () =
    wait_until "the task has begun" (fun () -> Atomic.get begun);
    Pool.run q (fun () ->
        ignore (Weft.async close : unit Weft.promise);
        yield_until "the pool is being closed" (fun () -> locked of_p (fun () -> of_p.state <> Open)))
  in
  let domain = Domain.spawn call in
  let task =
    Pool.async p (fun () ->
        Atomic.set begun true;
        Domain.join domain)
  in
  Weft.await closed;
  Alcotest.(check bool) "the task has ended" true (Promise.is_settled task)

let closing () =
  List.iter
    (fun domains ->
      let p = Pool.create ~domains () in
      let tasks =
        List.init (more p) (fun i ->
            Pool.async p (fun () ->
                let task = Weft.async (fun () -> i) in
                joined (fun () -> Weft.await task)))
      in
      Pool.close p;
      Alcotest.(check (list int))
        "values"
        (List.init (List.length tasks) Fun.id)
        (List.map
           (fun task ->
             Alcotest.(check bool) "has ended" true (Promise.is_settled task);
             Weft.await task)
           tasks))
    sizes

let tests =
  [
    case "a task joins a thread that calls, in each way" each_way;
    case "so many tasks that each other waits for" all_at_once;
    case "one below the other" one_below_the_other;
    case "through another pool" through_another_pool;
    case "one thread that serves all" service;
    case "tasks that join the domain of the caller" domain_of_the_caller;
    case "extra workers have numbers of their own" numbers_are_different;
    case "extra workers end when there is nothing more to do" extra_workers_end;
    case "tasks of a pool that join the domain which closes it" closed_by_a_domain_that_is_joined;
    case "closing meanwhile" closing;
  ]
