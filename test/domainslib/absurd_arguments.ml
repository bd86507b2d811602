open Testing_public.Absurd
module Public_functions = Testing_public.Public_functions

(* Calls with meaningless arguments: they are refused with domainslib's own messages, or have a defined
   result. All public functions are covered. *)

let never _ = Alcotest.fail "it was called"
let like text = function Invalid_argument message -> message = text | _ -> false
let none _ = None

let with_pool f =
  let pool = Domainslib.Task.setup_pool ~num_domains:1 () in
  Fun.protect ~finally:(fun () -> Domainslib.Task.teardown_pool pool) (fun () -> f pool)

let pools n =
  [
    fails "Domainslib.Task.setup_pool" (like "Task.setup_pool: num_domains must be at least 0") (fun () ->
        Domainslib.Task.setup_pool ~num_domains:n ());
    fails "Domainslib_04.Task.setup_pool" (like "Task.setup_pool: num_additional_domains must be at least 0")
      (fun () -> Domainslib_04.Task.setup_pool ~num_additional_domains:n ());
    fails "Domainslib.Chan.make_bounded" (like "Chan.make_bounded") (fun () -> Domainslib.Chan.make_bounded n);
    fails "Domainslib_04.Chan.make_bounded" (like "Chan.make_bounded") (fun () ->
        Domainslib_04.Chan.make_bounded n);
  ]

(* A chunk size that is not positive lets the library choose. *)
let chunk_sizes chunk_size =
  let new_ =
    let open Domainslib.Task in
    [
      right "Domainslib.Task.parallel_for" (fun () ->
          let seen = Atomic.make 0 in
          let body i = ignore (Atomic.fetch_and_add seen i : int) in
          with_pool (parallel_for ~chunk_size ~start:1 ~finish:9 ~body);
          Atomic.get seen = 45);
      right "Domainslib.Task.parallel_for_reduce" (fun () ->
          with_pool (fun p -> parallel_for_reduce ~chunk_size ~start:1 ~finish:9 ~body:Fun.id p ( + ) 0 = 45));
      right "Domainslib.Task.parallel_find" (fun () ->
          with_pool (parallel_find ~chunk_size ~start:1 ~finish:9 ~body:none) = (None : int option));
    ]
  and old =
    let open Domainslib_04.Task in
    [
      right "Domainslib_04.Task.parallel_for" (fun () ->
          with_pool (parallel_for ~chunk_size ~start:9 ~finish:1 ~body:never) = ());
      right "Domainslib_04.Task.parallel_for_reduce" (fun () ->
          with_pool (fun p -> parallel_for_reduce ~chunk_size ~start:1 ~finish:9 ~body:Fun.id p ( + ) 0 = 45));
    ]
  in
  new_ @ old

let nothing =
  [
    right "Domainslib.Task.lookup_pool" (fun () -> Domainslib.Task.lookup_pool "" = None);
    right "Domainslib_04.Task.lookup_pool" (fun () -> Domainslib_04.Task.lookup_pool "" = None);
    right "Domainslib.Task.parallel_scan" (fun () ->
        with_pool (fun p -> Domainslib.Task.parallel_scan p never [||] = [||]));
    right "Domainslib_04.Task.parallel_scan" (fun () ->
        with_pool (fun p -> Domainslib_04.Task.parallel_scan p never [||] = [||]));
  ]

let torn_down =
  let open Domainslib.Task in
  let on_closed name f =
    fails ("Domainslib.Task." ^ name) (like "pool already torn down") (fun () ->
        let pool = setup_pool ~num_domains:0 () in
        teardown_pool pool;
        f pool)
  in
  [
    on_closed "teardown_pool" teardown_pool;
    on_closed "get_num_domains" get_num_domains;
    on_closed "run" (fun p -> run p never);
    on_closed "async" (fun p -> async p never);
    on_closed "await" (fun p -> await p (Weft.Promise.of_value 1));
    on_closed "parallel_for" (parallel_for ~start:1 ~finish:0 ~body:never);
    on_closed "parallel_for_reduce" (fun p -> parallel_for_reduce ~start:1 ~finish:0 ~body:never p never 0);
    on_closed "parallel_scan" (fun p -> parallel_scan p never [||]);
    on_closed "parallel_find" (parallel_find ~start:1 ~finish:0 ~body:none);
  ]

let rows =
  List.concat_map pools [ -1; min_int ]
  @ List.concat_map chunk_sizes [ 0; -1; min_int; max_int ]
  @ nothing @ torn_down

let none_is_left_out () =
  check_complete (List.concat_map Public_functions.of_library [ "Domainslib"; "Domainslib_04" ]) rows []

let tests =
  [
    Testing.Watchdog.case "none is left out" none_is_left_out;
    Testing.Watchdog.case "refused, or answered" (fun () -> check rows);
  ]
