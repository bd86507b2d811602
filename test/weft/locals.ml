open Support
module Pool = Weft.Pool
module Promise = Weft.Promise
module Worker_local = Weft.Local.Worker_local
module Task_local = Weft.Local.Task_local

(* --- Task_local: random programs against dynamic scoping --- *)

type program =
  | Get of int
  | Fail of int
  | Bind of int * int * program
  | Spin of int * program
  | Yield of program
  | Seq of program * program
  | Par of program * program
  | Async of program * program (* start the first, do the second, await the first *)
  | Await_within of int * int * program (* start it, and await it with something else bound *)
  | Wait of program (* until another task resolves a promise *)
  | Loop of program list
  | Map of program
  | Catch of program
  | Elsewhere of program (* in another pool *)
  | Detached of program (* as a task of another pool *)

let rec print = function
  | Get k -> Printf.sprintf "get %d" k
  | Fail n -> Printf.sprintf "fail %d" n
  | Bind (k, v, p) -> Printf.sprintf "bind %d=%d(%s)" k v (print p)
  | Spin (n, p) -> Printf.sprintf "spin %d; %s" n (print p)
  | Yield p -> "yield; " ^ print p
  | Seq (p, q) -> Printf.sprintf "(%s; %s)" (print p) (print q)
  | Par (p, q) -> Printf.sprintf "par(%s, %s)" (print p) (print q)
  | Async (p, q) -> Printf.sprintf "async(%s, %s)" (print p) (print q)
  | Await_within (k, v, p) -> Printf.sprintf "await within %d=%d(%s)" k v (print p)
  | Wait p -> "wait; " ^ print p
  | Loop ps -> Printf.sprintf "loop[%s]" (String.concat "; " (List.map print ps))
  | Map p -> Printf.sprintf "map(%s)" (print p)
  | Catch p -> Printf.sprintf "catch(%s)" (print p)
  | Elsewhere p -> Printf.sprintf "elsewhere(%s)" (print p)
  | Detached p -> Printf.sprintf "detached(%s)" (print p)

(* Tasks do not inherit the values of the last key. *)
let keys =
  Array.init 3 (fun i ->
      if i = 2 then Task_local.create_own ~default:102 else Task_local.create ~default:(100 + i))

let inherited bound = List.filter (fun (k, _) -> k < 2) bound
let caught f = match f () with n -> n | exception Planned n -> n + 1000

(* [bound] lists what is bound, innermost first. *)
let rec meaning bound =
  let open Outcomes in
  function
  | Get k -> returns (match List.assoc_opt k bound with Some v -> v | None -> 100 + k)
  | Fail n -> fails n
  | Bind (k, v, p) -> meaning ((k, v) :: bound) p
  | Spin (_, p) | Yield p | Wait p | Elsewhere p -> meaning bound p
  | Await_within (_, _, p) | Detached p -> meaning (inherited bound) p
  | Seq (p, q) -> in_turn (fun a b -> (2 * a) + b) (meaning bound p) (meaning bound q)
  | Par (p, q) -> map2 (fun a b -> (2 * a) + b) (meaning bound p) (meaning bound q)
  | Async (p, q) -> in_turn ( - ) (meaning bound q) (meaning (inherited bound) p)
  | Loop ps ->
      let caught p = catch (fun n -> n + 1000) (meaning bound p) in
      List.fold_left (fun sum p -> map2 (fun sum n -> (3 * sum) + n) sum (caught p)) (returns 7) ps
  | Map p -> in_turn ( + ) (meaning (inherited bound) p) (meaning bound (Get 0))
  | Catch p -> catch (fun n -> n + 1000) (meaning bound p)

(* If this fiber is cancelled, it awaits its task, so that no task's exception is left unhandled. *)
let await p =
  try Weft.await p
  with Weft.Cancel.Cancelled _ as exn ->
    (match Weft.Cancel.shield (fun () -> Weft.await p) with _ -> () | exception Planned _ -> ());
    raise exn

let rec execute other = function
  | Get k -> Task_local.get keys.(k)
  | Fail n -> raise (Planned n)
  | Bind (k, v, p) -> Task_local.with_value keys.(k) v (fun () -> execute other p)
  | Spin (n, p) ->
      spin n;
      execute other p
  | Yield p ->
      Weft.yield ();
      execute other p
  | Seq (p, q) ->
      let a = execute other p in
      let b = execute other q in
      (2 * a) + b
  | Par (p, q) ->
      let a, b = Weft.par (fun () -> execute other p) (fun () -> execute other q) in
      (2 * a) + b
  | Async (p, q) -> (
      let a = Weft.async (fun () -> execute other p) in
      match execute other q with
      | b -> b - await a
      | exception exn ->
          (match Weft.Cancel.shield (fun () -> Weft.await a) with _ -> () | exception Planned _ -> ());
          raise exn)
  | Await_within (k, v, p) ->
      let a = Weft.async (fun () -> execute other p) in
      Task_local.with_value keys.(k) v (fun () -> await a)
  | Wait p ->
      let source = Promise.create () in
      ignore (Weft.async (fun () -> Promise.resolve source ()));
      Weft.await source;
      execute other p
  | Loop ps ->
      let ps = Array.of_list ps in
      let body i = [ caught (fun () -> execute other ps.(i)) ] in
      Weft.parallel_for_reduce ~start:0 ~finish:(Array.length ps - 1) ~body ( @ ) []
      |> List.fold_left (fun sum n -> (3 * sum) + n) 7
  | Map p ->
      let a = Weft.async (fun () -> execute other p) in
      await (Promise.map (fun n -> n + execute other (Get 0)) a)
  | Catch p -> caught (fun () -> execute other p)
  | Elsewhere p -> Pool.run other (fun () -> execute other p)
  | Detached p -> await (Pool.async other (fun () -> execute other p))

let program =
  let open QCheck.Gen in
  let key = int_bound 2 in
  let leaf = frequency [ (8, map (fun k -> Get k) key); (1, map (fun n -> Fail n) nat) ] in
  fix
    (fun self size ->
      if size <= 1 then leaf
      else
        let half = self (size / 2) and smaller = self (size - 1) in
        frequency
          [
            (1, leaf);
            (5, map3 (fun k v p -> Bind (k, v, p)) key nat smaller);
            (1, map2 (fun n p -> Spin (n, p)) (int_bound 3000) smaller);
            (2, map (fun p -> Yield p) smaller);
            (3, map2 (fun p q -> Seq (p, q)) half half);
            (5, map2 (fun p q -> Par (p, q)) half half);
            (3, map2 (fun p q -> Async (p, q)) half half);
            (2, map3 (fun k v p -> Await_within (k, v, p)) key nat smaller);
            (1, map (fun p -> Wait p) smaller);
            (1, map (fun ps -> Loop ps) (list_size (int_bound 5) (self (size / 5))));
            (1, map (fun p -> Map p) smaller);
            (2, map (fun p -> Catch p) smaller);
            (1, map (fun p -> Elsewhere p) smaller);
            (1, map (fun p -> Detached p) smaller);
          ])
    120

let outcome run p = match run p with n -> Ok n | exception Planned n -> Error n

(* Whether [run p] is among the outcomes that [p] may have. *)
let agrees run p =
  match meaning [] p with
  | meant -> Outcomes.mem (outcome run p) meant
  | exception Outcomes.Too_many ->
      ignore (outcome run p);
      true

(* After each program, nothing may be left bound, here or on any worker. *)
let nothing_left pool =
  let unbound () = Array.iteri (fun i k -> check_int "left over" (100 + i) (Task_local.get k)) keys in
  unbound ();
  Pool.run pool (fun () -> Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:8 ~body:(fun _ -> unbound ()) ())

let like_dynamic_scoping () =
  Pool.with_pool ~domains:2 @@ fun other ->
  on_each_size @@ fun pool ->
  let agrees run p =
    let equal = agrees run p in
    nothing_left pool;
    equal
  in
  let in_pool p = Pool.run pool (fun () -> execute other p) in
  (* The same with something bound outside of all pools. *)
  let bound_outside = function
    | Bind (k, v, p) -> Task_local.with_value keys.(k) v (fun () -> in_pool p)
    | p -> in_pool p
  in
  let check name run count seed =
    QCheck.Test.check_exn ~rand:(Random.State.make [| seed |])
      (QCheck.Test.make ~count:(tries count) ~name (QCheck.make ~print program) (agrees run))
  in
  check "programs" in_pool 300 11;
  check "programs, bound outside" bound_outside 200 12;
  (* Each call of the program enters the default pool itself. *)
  check "programs, from outside" (execute other) 100 13

let from_many_threads () =
  Pool.with_pool ~domains:2 @@ fun other ->
  on_each_size @@ fun pool ->
  let caller seed () =
    let rand = Random.State.make [| seed |] in
    let mine = Task_local.create ~default:0 in
    Task_local.with_value mine seed @@ fun () ->
    for _ = 1 to tries 60 do
      let p = QCheck.Gen.generate1 ~rand program in
      let run p = Pool.run pool (fun () -> execute other p) in
      if not (agrees run (Bind (0, seed, p))) then Alcotest.failf "differs: %s" (print p);
      check_int "own key, outside" seed (Task_local.get mine);
      check_int "own key, inside" seed (Pool.run pool (fun () -> Task_local.get mine));
      check_int "no other's" 101 (Task_local.get keys.(1))
    done
  in
  let failed = Atomic.make None in
  let caller seed () = try caller seed () with exn -> Atomic.set failed (Some exn) in
  let domain = Domain.spawn (caller 100) in
  List.iter Thread.join (List.init 4 (fun i -> Thread.create (caller i) ()));
  Domain.join domain;
  Option.iter raise (Atomic.get failed)

(* --- Task_local: one promise each --- *)

let k = keys.(0)
let get () = Task_local.get k
let expect what v = check_int what v (get ())

let after_a_steal () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      Pool.run pool @@ fun () ->
      for i = 1 to 50 do
        let stolen = Atomic.make false in
        let wait () =
          while not (Atomic.get stolen) do
            Domain.cpu_relax ()
          done
        in
        let thief () =
          expect "the thief" i;
          Atomic.set stolen true;
          let (), () = Weft.par (fun () -> expect "its left side" i) (fun () -> expect "its right side" i) in
          (* The right side goes on after the left one has ended: the joiner is suspended. *)
          spin 3_000
        in
        Task_local.with_value k i (fun () ->
            let (), () = Weft.par wait thief in
            expect "the joiner" i;
            Atomic.set stolen false;
            let a = Weft.async thief in
            wait ();
            Weft.await a;
            expect "the awaiter" i);
        expect "afterwards" 100
      done)
    [ 2; 3; 8 ]

let after_a_suspension () =
  in_each_size @@ fun () ->
  let resolvers = Saturn.Stack.create () in
  let suspended i =
    let source = Promise.create () in
    let resolve () =
      Thread.delay 0.001;
      Promise.resolve source i
    in
    Saturn.Stack.push resolvers (Thread.create resolve ());
    Weft.await source
  in
  let task i () =
    Task_local.with_value k i (fun () ->
        check_int "the promise" i (suspended i);
        expect "after it" i;
        Weft.yield ();
        expect "after yielding" i);
    expect "outside" 100
  in
  for _ = 1 to 5 do
    ignore (Weft.all (List.init 10 task));
    expect "after all" 100
  done;
  List.iter Thread.join (Saturn.Stack.pop_all resolvers)

let awaited_tasks_see_their_maker_s () =
  in_each_size @@ fun () ->
  let unbound = List.init 100 (fun _ -> Weft.async get) in
  let bound = List.init 100 (fun i -> Task_local.with_value k i (fun () -> Weft.async get)) in
  Task_local.with_value k 77 @@ fun () ->
  List.iter (fun p -> check_int "made with nothing bound" 100 (Weft.await p)) (List.rev unbound);
  List.iteri (fun i p -> check_int "made with something bound" i (Weft.await p)) bound;
  expect "the awaiter's" 77

let exceptions_restore () =
  in_each_size @@ fun () ->
  let failing what f =
    match Task_local.with_value k 1 f with
    | _ -> Alcotest.failf "%s: no exception" what
    | exception Exit -> expect what 100
  in
  failing "at once" (fun () -> raise Exit);
  failing "after a suspension" (fun () ->
      Weft.yield ();
      raise Exit);
  failing "left side" (fun () -> fst (Weft.par (fun () -> raise Exit) ignore));
  failing "right side" (fun () -> fst (Weft.par ignore (fun () -> raise Exit)));
  failing "a task" (fun () -> Weft.await (Weft.async (fun () -> raise Exit)));
  failing "an inner binding" (fun () ->
      (match Task_local.with_value k 2 (fun () -> raise Not_found) with
      | () -> ()
      | exception Not_found -> expect "outer" 1);
      raise Exit)

let outside_pools () =
  Task_local.with_value k 5 (fun () ->
      expect "bound" 5;
      (* Another thread has no bindings. *)
      Thread.join (Thread.create (fun () -> expect "another thread" 100) ());
      check_int "a task" 5 (Weft.await (Weft.async get));
      let a, b = Weft.par get get in
      check_int "left" 5 a;
      check_int "right" 5 b;
      check_int "a run of its own" 5 (Weft.run ~domains:2 get);
      Task_local.with_value k 6 (fun () -> expect "inner" 6);
      expect "bound, again" 5;
      (* Other tasks that run on this thread do not see the binding. *)
      Pool.with_pool ~domains:1 (fun p ->
          let unbound = ref 0 in
          let stranger () =
            let tasks = List.init 50 (fun _ -> Pool.async p get) in
            unbound := List.fold_left (fun n t -> n + Weft.await t) 0 tasks
          in
          let t = Thread.create stranger () in
          for _ = 1 to 50 do
            check_int "in a pool of one" 5 (Pool.run p get)
          done;
          Thread.join t;
          check_int "strangers' tasks" 5000 !unbound));
  expect "afterwards" 100;
  match Task_local.with_value k 5 (fun () -> raise Exit) with
  | () -> Alcotest.fail "no exception"
  | exception Exit -> expect "after an exception" 100

let below_c_code () =
  (* A signal handler waits on top of the fiber that it interrupts; the worker runs other tasks on top of
     both. *)
  Pool.with_pool ~domains:1 @@ fun pool ->
  let seen = ref 0 and inside = ref 0 and after = ref 0 in
  let source = ref (Promise.create ()) in
  let handle _ =
    inside := get ();
    Weft.await !source;
    after := get ()
  in
  let before = Sys.signal Sys.sigusr1 (Signal_handle handle) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigusr1 before) @@ fun () ->
  Pool.run pool @@ fun () ->
  for i = 1 to 20 do
    source := Promise.create ();
    inside := 0;
    after := 0;
    let resolver =
      Weft.async (fun () ->
          Weft.yield ();
          Promise.resolve !source ())
    in
    let stranger = Weft.async (fun () -> seen := get ()) in
    Task_local.with_value k i (fun () ->
        Unix.kill (Unix.getpid ()) Sys.sigusr1;
        while !after = 0 do
          Weft.yield ();
          ignore (Sys.opaque_identity (ref 0))
        done;
        expect "the fiber" i);
    Weft.await stranger;
    Weft.await resolver;
    check_int "a stranger's task" 100 !seen;
    check_int "the handler again" !inside !after
  done

type _ Effect.t += Leave : unit Effect.t

let effects_of_the_user () =
  in_each_size @@ fun () ->
  (* A fiber ends inside its binding for good: the worker's next fibers do not see the binding. *)
  let leaving () =
    Effect.Deep.match_with
      (fun () -> Task_local.with_value k 1 (fun () -> Effect.perform Leave))
      ()
      {
        retc = Fun.id;
        exnc = raise;
        effc = (fun (type c) (e : c Effect.t) -> match e with Leave -> Some ignore | _ -> None);
      }
  in
  for _ = 1 to 20 do
    let p = Promise.create () in
    ignore
      (Weft.async (fun () ->
           leaving ();
           Promise.resolve p ()));
    Weft.await p;
    ignore (Weft.all (List.init 16 (fun _ () -> expect "a later task" 100)));
    expect "the maker" 100
  done

let many_keys_and_deep () =
  in_each_size @@ fun () ->
  let many = Array.init 100 (fun i -> Task_local.create ~default:(-i)) in
  let rec bind i f =
    if i = 100 then f () else Task_local.with_value many.(i) (i * i) (fun () -> bind (i + 1) f)
  in
  let check () = Array.iteri (fun i key -> check_int "one of many" (i * i) (Task_local.get key)) many in
  bind 0 (fun () -> ignore (Weft.par check check));
  Array.iteri (fun i key -> check_int "default" (-i) (Task_local.get key)) many;
  let rec nest n = if n = 0 then get () else Task_local.with_value k n (fun () -> nest (n - 1)) in
  check_int "nested" 1 (nest (deep / 10));
  (* More forks than the deque has slots, so that it grows while something is bound. *)
  let rec forks n =
    if n = 0 then 0
    else
      let a, b = Weft.par (fun () -> forks (n - 1)) get in
      a + b
  in
  check_int "growth" (3 * 5000) (Task_local.with_value k 3 (fun () -> forks 5000));
  check_int "tasks" (3 * 5000)
    (Task_local.with_value k 3 (fun () ->
         List.fold_left (fun n p -> n + Weft.await p) 0 (List.init 5000 (fun _ -> Weft.async get))))

let room_is_watched_again () =
  (* Forks nested deeper than the deque has slots: after something was bound, and before and after
     something is stolen. *)
  in_each_size @@ fun () ->
  let rec forks n =
    if n = 0 then 0
    else
      let a, b = Weft.par (fun () -> forks (n - 1)) (fun () -> n) in
      a + b
  in
  for i = 1 to 20 do
    let n = 300 * i in
    Task_local.with_value k i Weft.yield;
    check_int "forks" (n * (n + 1) / 2) (forks n);
    let tasks = List.init n (fun i -> Weft.async (fun () -> i)) in
    check_int "tasks" (n * (n - 1) / 2) (List.fold_left (fun sum p -> sum + Weft.await p) 0 tasks)
  done

(* --- Worker_local --- *)

let sum l = Worker_local.fold ( + ) 0 l

let exact_sums () =
  on_each_size @@ fun pool ->
  let l = Worker_local.create (fun () -> 0) in
  Pool.run pool (fun () ->
      Weft.parallel_for ~start:1 ~finish:100_000 ~body:(fun i -> Worker_local.update l (( + ) i)) ());
  check_int "a loop" 5_000_050_000 (sum l);
  Worker_local.reset l;
  check_int "reset" 0 (sum l);
  Pool.run pool (fun () ->
      let count () = Worker_local.set l (Worker_local.get l + 1) in
      let rec forks n =
        if n = 0 then count ()
        else
          let (), () = Weft.par (fun () -> forks (n - 1)) (fun () -> forks (n - 1)) in
          if n land 3 = 0 then Weft.yield ()
      in
      forks 14);
  check_int "forks" 16384 (sum l)

let a_million_from_eight () =
  let l = Worker_local.create (fun () -> 0) in
  Pool.with_pool ~domains:8 (fun pool ->
      Pool.run pool (fun () ->
          Weft.parallel_for ~chunk_size:100 ~start:1 ~finish:1_000_000
            ~body:(fun _ -> Worker_local.update l succ)
            ()));
  check_int "updates" 1_000_000 (sum l)

let initial_values () =
  let made = Atomic.make 0 in
  let l =
    Worker_local.create (fun () ->
        Atomic.incr made;
        ref 0)
  in
  check_int "before the first use" 0 (Worker_local.fold (fun n _ -> n + 1) 0 l);
  Pool.with_pool ~domains:3 (fun pool ->
      Pool.run pool (fun () ->
          Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:1000
            ~body:(fun _ ->
              spin 1000;
              incr (Worker_local.get l))
            ()));
  let slots = Worker_local.fold (fun n _ -> n + 1) 0 l in
  check_int "one for each slot" (Atomic.get made) slots;
  if slots < 1 || slots > 3 then Alcotest.failf "%d slots of 3 workers" slots;
  check_int "sum" 1000 (Worker_local.fold (fun n r -> n + !r) 0 l);
  (* An exception of [initial] goes to the caller, and the next call runs [initial] again. *)
  let tries = ref 0 in
  let l =
    Worker_local.create (fun () ->
        incr tries;
        if !tries = 1 then raise Exit;
        !tries)
  in
  (match Worker_local.get l with _ -> Alcotest.fail "no exception" | exception Exit -> ());
  check_int "second try" 2 (Worker_local.get l)

let kept_after_closing () =
  let l = Worker_local.create (fun () -> 0) in
  for _ = 1 to 5 do
    List.iter
      (fun domains ->
        Weft.run ~domains (fun () ->
            Weft.parallel_for ~start:1 ~finish:1000 ~body:(fun _ -> Worker_local.update l succ) ()))
      sizes
  done;
  check_int "all pools" (5 * 1000 * List.length sizes) (sum l)

let growth_under_use () =
  (* Workers with ever higher ids start while others use their slots. *)
  let l = Worker_local.create (fun () -> 0) in
  let pools = List.init 6 (fun _ -> Pool.create ~domains:3 ()) in
  let n = 20_000 in
  let work pool () =
    Pool.run pool (fun () ->
        Weft.parallel_for ~chunk_size:10 ~start:1 ~finish:n ~body:(fun _ -> Worker_local.update l succ) ())
  in
  List.iter Thread.join (List.map (fun p -> Thread.create (work p) ()) (List.rev pools));
  List.iter Pool.close pools;
  check_int "updates" (6 * n) (sum l)

let first_uses_at_the_same_time () =
  Pool.with_pool ~domains:4 @@ fun pool ->
  Pool.run pool @@ fun () ->
  for _ = 1 to tries 2000 do
    let l = Worker_local.create (fun () -> 0) in
    Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:16
      ~body:(fun _ ->
        Worker_local.update l succ;
        spin 300)
      ();
    check_int "updates" 16 (sum l)
  done

let pools_share_no_slots () =
  let l = Worker_local.create (fun () -> 0) in
  Pool.with_pool ~domains:1 @@ fun a ->
  Pool.with_pool ~domains:1 @@ fun b ->
  Pool.run a (fun () ->
      Worker_local.set l 1;
      let set_other () = Pool.run b (fun () -> Worker_local.set l 2) in
      Thread.join (Thread.create set_other ());
      check_int "the own slot" 1 (Worker_local.get l));
  check_int "both" 3 (sum l)

let outside_threads () =
  let l = Worker_local.create (fun () -> 0) in
  let add () =
    for i = 1 to 1000 do
      Worker_local.update l succ;
      if i mod 100 = 0 then Thread.yield ()
    done
  in
  add ();
  check_int "the own slot" 1000 (Worker_local.get l);
  let domains = List.init 2 (fun _ -> Domain.spawn add) in
  List.iter Thread.join (List.init 4 (fun _ -> Thread.create add ()));
  List.iter Domain.join domains;
  check_int "the own slot, still" 1000 (Worker_local.get l);
  check_int "threads, domains" 7000 (sum l);
  Weft.run add;
  check_int "the same thread in a pool" 8000 (sum l)

let own_values () =
  let k = Task_local.create_own ~default:0 in
  let bound_in_parts n =
    check_int "par" (2 * n)
      (let a, b = Weft.par (fun () -> Task_local.get k) (fun () -> Task_local.get k) in
       a + b);
    Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:20
      ~body:(fun _ -> check_int "a loop" n (Task_local.get k))
      ();
    let left = ref 20 in
    let produce () =
      decr left;
      if !left < 0 then None else Some (Task_local.get k)
    in
    Weft.pipeline produce
      Weft.Stage.(
        parallel (fun v ->
            check_int "produced" n v;
            Task_local.get k)
        >>> in_order (check_int "a stage" n))
  in
  let in_tasks () =
    check_int "a task" 0 (Weft.await (Weft.async (fun () -> Task_local.get k)));
    Weft.Scope.run (fun s ->
        check_int "a task of a scope" 0 (Weft.await (Weft.Scope.async s (fun () -> Task_local.get k))));
    check_int "a task of a task" 0
      (Weft.await (Weft.async (fun () -> Weft.await (Weft.async (fun () -> Task_local.get k)))))
  in
  let all () =
    Task_local.with_value k 1 @@ fun () ->
    bound_in_parts 1;
    in_tasks ();
    Task_local.set k 2;
    check_int "set" 2 (Task_local.get k);
    bound_in_parts 2;
    in_tasks ();
    Task_local.with_value k 3 (fun () ->
        Task_local.set k 4;
        check_int "the innermost" 4 (Task_local.get k));
    check_int "the outer one" 2 (Task_local.get k);
    check_int "in a call that blocks" 2 (Weft.blocking (fun () -> Task_local.get k));
    check_int "in another pool" 2
      (Pool.with_pool ~domains:1 (fun p -> Pool.run p (fun () -> Task_local.get k)));
    check_int "within a time" 2
      (Weft.Cancel.with_timeout 1000. (fun () ->
           Weft.yield ();
           Task_local.get k));
    let p = Promise.create () in
    let task =
      Weft.async (fun () ->
          Task_local.with_value k 5 (fun () ->
              Weft.await p;
              Task_local.set k 6;
              Weft.yield ();
              Task_local.get k))
    in
    Weft.yield ();
    Promise.resolve p ();
    check_int "another task's" 6 (Weft.await task);
    check_int "is not this one's" 2 (Task_local.get k)
  in
  all ();
  in_each_size all

let where_set_is_refused () =
  let own = Task_local.create_own ~default:0 and inherited = Task_local.create ~default:0 in
  let refused what k = raises_invalid what "Weft.Local.Task_local.set: " (fun () -> Task_local.set k 1) in
  refused "nothing bound" own;
  in_each_size @@ fun () ->
  Task_local.with_value inherited 1 (fun () -> refused "inherited" inherited);
  Task_local.with_value own 1 (fun () ->
      Weft.await (Weft.async (fun () -> refused "bound in another task" own)));
  check_int "the default" 0 (Task_local.get own)

let tests =
  [
    case "task-local: what tasks do not inherit" own_values;
    case "task-local: where a value cannot be set" where_set_is_refused;
    case "random programs see what dynamic scoping says" like_dynamic_scoping;
    case "random programs from several threads, each with its own values" from_many_threads;
    case "thieves see their maker's values" after_a_steal;
    case "a suspended fiber keeps its values" after_a_suspension;
    case "an awaited task sees its maker's values" awaited_tasks_see_their_maker_s;
    case "exceptions bring the old values back" exceptions_restore;
    case "values of threads outside, handed on to pools" outside_pools;
    case "what runs on top of a waiting signal handler sees no foreign values" below_c_code;
    case "a value left behind by an effect ends with its fiber" effects_of_the_user;
    case "many keys, deep nesting, growing deques" many_keys_and_deep;
    case "a deque is full when it is, once nothing is bound" room_is_watched_again;
    case "sums over loops and forks are exact" exact_sums;
    case "a million updates from eight domains" a_million_from_eight;
    case "initial values are made once per slot" initial_values;
    case "slots outlive their pools" kept_after_closing;
    case "the table of slots grows under use" growth_under_use;
    case "no first use is lost" first_uses_at_the_same_time;
    case "workers of two pools have different slots" pools_share_no_slots;
    case "threads outside have slots" outside_threads;
  ]
