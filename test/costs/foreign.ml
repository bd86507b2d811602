open Testing.Growth
open Table

(* The part that both interfaces have; [setup_pool] gets each one's label. *)
module type TASKS = module type of Domainslib_04.Task

let of_tasks (setup_pool : int -> Domainslib.Task.pool) (module T : TASKS) =
  let empty _ = setup_pool 0 in
  let in_pool f n =
    let pool = empty n in
    let f = f pool n in
    fun () ->
      T.run pool f;
      T.teardown_pool pool
  in
  let loop name f = calls ("Task." ^ name) Linear (fun note -> in_pool (fun pool n () -> f note pool n)) in
  let of_pools name f = whole ("Task." ^ name) (fun n -> Int.min 4 (n / 100)) f in
  [
    of_pools "setup_pool" (fun domains -> T.teardown_pool (setup_pool domains));
    of_pools "teardown_pool" (fun domains -> T.teardown_pool (setup_pool domains));
    constant "Task.lookup_pool" (fun () -> T.lookup_pool "none");
    constant "Task.get_num_domains" (fun () ->
        let p = setup_pool 0 in
        let n = T.get_num_domains p in
        T.teardown_pool p;
        n);
    each
    @@ words "Task.run" Linear
         (in_pool (fun pool n () ->
              for _ = 1 to n do
                T.run pool ignore
              done));
    each
    @@ words "Task.async" Linear
         (in_pool (fun pool n () ->
              for _ = 1 to n do
                T.await pool (T.async pool ignore)
              done));
    each
    @@ words "Task.await" Linear
         (in_pool (fun pool n () -> List.iter (T.await pool) (List.init n (fun _ -> T.async pool ignore))));
    loop "parallel_for" (fun note pool n -> T.parallel_for pool ~start:1 ~finish:n ~body:(noting note ignore));
    loop "parallel_for_reduce" (fun note pool n ->
        ignore (T.parallel_for_reduce pool ~start:1 ~finish:n ~body:Fun.id (plus note) 0 : int));
    loop "parallel_scan" (fun note pool n ->
        ignore (T.parallel_scan pool (plus note) (Array.make n 1) : int array));
  ]

let tasks =
  of_tasks
    (fun num_domains -> Domainslib.Task.setup_pool ~num_domains ())
    (module struct
      include Domainslib_04.Task

      include (
        Domainslib.Task :
          module type of Domainslib.Task
            with type 'a task := 'a task
             and type 'a promise := 'a promise
             and type pool := pool)

      let setup_pool = Domainslib_04.Task.setup_pool
    end)

let finds =
  [
    calls "Task.parallel_find" Linear (fun note n ->
        let pool = Domainslib.Task.setup_pool ~num_domains:0 () in
        let body _ =
          note ();
          None
        in
        fun () ->
          Domainslib.Task.(
            run pool (fun () -> ignore (parallel_find pool ~start:1 ~finish:n ~body : int option)));
          Domainslib.Task.teardown_pool pool);
  ]

let tasks_04 =
  of_tasks (fun n -> Domainslib_04.Task.setup_pool ~num_additional_domains:n ()) (module Domainslib_04.Task)

let channels =
  let open Domainslib.Chan in
  let filled n =
    let c = make_unbounded () in
    for i = 1 to n do
      send c i
    done;
    c
  in
  [
    few_of "Chan.make_bounded" Fun.id make_bounded;
    constant "Chan.make_unbounded" make_unbounded;
    each_of "Chan.send" (fun _ -> make_unbounded ()) send;
    each_of "Chan.send_poll" make_bounded send_poll;
    each_of "Chan.recv" filled (fun c _ -> recv c);
    each_of "Chan.recv_poll" filled (fun c _ -> recv_poll c);
  ]

let tables =
  let table name file cases =
    {
      prefix = name ^ ".";
      files = [ "lib/domainslib/" ^ file ^ ".mli" ];
      sizes = sizes [ 100; 1000 ];
      in_pool = false;
      cases;
      except = [];
    }
  in
  [
    table "Domainslib" "domainslib" (tasks @ finds @ channels); table "Domainslib_04" "domainslib_04" tasks_04;
  ]
