(* The types are the test; nobody uses the values. *)
[@@@warning "-unused-value-declaration"]

(* The parts of the interface on which programs written for each version rely. *)
module type Task_without_setup = sig
  type 'a task = unit -> 'a
  type !'a promise
  type pool

  val teardown_pool : pool -> unit
  val lookup_pool : string -> pool option
  val get_num_domains : pool -> int
  val run : pool -> 'a task -> 'a
  val async : pool -> 'a task -> 'a promise
  val await : pool -> 'a promise -> 'a
  val parallel_for : ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit

  val parallel_for_reduce :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> pool -> ('a -> 'a -> 'a) -> 'a -> 'a

  val parallel_scan : pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array
end

module type Task_05 = sig
  include Task_without_setup

  val setup_pool : ?name:string -> num_domains:int -> unit -> pool

  val parallel_find :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a option) -> pool -> 'a option
end

module type Task_04 = sig
  include Task_without_setup

  exception TasksActive

  val setup_pool : ?name:string -> num_additional_domains:int -> unit -> pool
end

module type Chan = sig
  type !'a t

  val make_bounded : int -> 'a t
  val make_unbounded : unit -> 'a t
  val send : 'a t -> 'a -> unit
  val send_poll : 'a t -> 'a -> bool
  val recv : 'a t -> 'a
  val recv_poll : 'a t -> 'a option
end

module _ : Task_05 = Domainslib.Task
module _ : Chan = Domainslib.Chan
module _ : Task_04 = Domainslib_04.Task
module _ : Chan = Domainslib_04.Chan

(* The two are one library: a pool of one is also a pool of the other. *)
let the_old_interface_works () =
  let module T = Domainslib_04.Task in
  (match T.setup_pool ~num_additional_domains:(-1) () with
  | (_ : T.pool) -> Alcotest.fail "a pool of less than no domains"
  | exception Invalid_argument text ->
      Alcotest.(check string) "message" "Task.setup_pool: num_additional_domains must be at least 0" text);
  let pool = T.setup_pool ~name:"old" ~num_additional_domains:2 () in
  Alcotest.(check int) "domains" 3 (T.get_num_domains pool);
  let sum = T.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:100 ~body:Fun.id in
  Alcotest.(check int) "without run, as in 0.3" 5050 sum;
  Alcotest.(check bool) "found" true (Option.is_some (Domainslib.Task.lookup_pool "old"));
  Domainslib.Task.teardown_pool pool

let promises_and_channels_are_wefts () =
  let open Domainslib in
  let pool = Task.setup_pool ~num_domains:1 () in
  let p : int Weft.promise = Task.async pool (fun () -> Weft.await (Weft.async (fun () -> 3)) + 1) in
  Alcotest.(check int) "of domainslib, awaited by Weft" 4 (Task.run pool (fun () -> Weft.await p));
  let c : int Weft.Chan.t = Chan.make_bounded 1 in
  Chan.send c 5;
  Alcotest.(check int) "a channel" 5 (Weft.Chan.recv c);
  let a, b = Task.run pool (fun () -> Weft.par (fun () -> 1) (fun () -> 2)) in
  Alcotest.(check (pair int int)) "par in a task" (1, 2) (a, b);
  Task.teardown_pool pool

let tests =
  [
    Testing.Watchdog.case "the interface of 0.3 and 0.4 works" the_old_interface_works;
    Testing.Watchdog.case "promises and channels are Weft's" promises_and_channels_are_wefts;
  ]
