open Support
open Testing_public.Absurd
module Public_functions = Testing_public.Public_functions

(* Calls with meaningless arguments: either the message of Invalid_argument begins with the name of the
   called function, or the call has a defined result. Every public function that takes a number, a text, a
   list or an array is covered. *)

let a = [| 1; 2; 3 |]
let f = Weft.Floatarray.of_array [| 1.; 2.; 3. |]
let floats n = Float.Array.make n 0.
let is_even n = n land 1 = 0
let yes _ = true
let never _ = Alcotest.fail "it was called"
let none _ = None

(* --- parts of arrays --- *)

let outside_of_three =
  [
    (-1, 1);
    (0, 4);
    (3, 1);
    (0, -1);
    (4, 0);
    (max_int, 1);
    (1, max_int);
    (min_int, min_int);
    (max_int, max_int);
  ]

let part name call = List.map (fun (pos, len) -> refused name (fun () -> call pos len)) outside_of_three

let parts_of_arrays =
  let open Weft.Array in
  List.concat
    [
      part "iter_sub" (fun pos len -> iter_sub ~pos ~len ignore a);
      part "iteri_sub" (fun pos len -> iteri_sub ~pos ~len (fun _ _ -> ()) a);
      part "map_inplace_sub" (fun pos len -> map_inplace_sub ~pos ~len Fun.id [| 1; 2; 3 |]);
      part "mapi_inplace_sub" (fun pos len -> mapi_inplace_sub ~pos ~len (fun _ x -> x) [| 1; 2; 3 |]);
      part "reduce" (fun pos len -> reduce ~pos ~len ( + ) 0 a);
      part "map_reduce" (fun pos len -> map_reduce ~pos ~len Fun.id ( + ) 0 a);
      part "fold" (fun pos len -> fold ~pos ~len ~combine:( + ) ( + ) 0 a);
      part "count" (fun pos len -> count ~pos ~len is_even a);
      part "min" (fun pos len -> min ~pos ~len Int.compare a);
      part "max" (fun pos len -> max ~pos ~len Int.compare a);
      part "min_opt" (fun pos len -> min_opt ~pos ~len Int.compare a);
      part "max_opt" (fun pos len -> max_opt ~pos ~len Int.compare a);
      part "minmax" (fun pos len -> minmax ~pos ~len Int.compare a);
      part "min_index" (fun pos len -> min_index ~pos ~len Int.compare a);
      part "max_index" (fun pos len -> max_index ~pos ~len Int.compare a);
      part "for_none" (fun pos len -> for_none ~pos ~len yes a);
      part "rev_inplace" (fun pos len -> rev_inplace ~pos ~len [| 1; 2; 3 |]);
      part "scan_inplace" (fun pos len -> scan_inplace ~pos ~len ( + ) [| 1; 2; 3 |]);
      part "scan_exclusive_inplace" (fun pos len -> scan_exclusive_inplace ~pos ~len ( + ) 0 [| 1; 2; 3 |]);
      part "histogram" (fun pos len -> histogram ~pos ~len ~buckets:4 Fun.id a);
      part "is_sorted" (fun pos len -> is_sorted ~pos ~len Int.compare a);
      part "exists_sub" (fun pos len -> exists_sub ~pos ~len yes a);
      part "for_all_sub" (fun pos len -> for_all_sub ~pos ~len yes a);
      part "mem_sub" (fun pos len -> mem_sub ~pos ~len 1 a);
      part "memq_sub" (fun pos len -> memq_sub ~pos ~len 1 a);
      part "find" (fun pos len -> find ~pos ~len yes a);
      part "find_opt_sub" (fun pos len -> find_opt_sub ~pos ~len yes a);
      part "find_index_sub" (fun pos len -> find_index_sub ~pos ~len yes a);
      part "find_map_sub" (fun pos len -> find_map_sub ~pos ~len Option.some a);
      part "find_mapi_sub" (fun pos len -> find_mapi_sub ~pos ~len (fun _ x -> Some x) a);
      part "sub" (fun pos len -> sub a pos len);
      part "fill" (fun pos len -> fill [| 1; 2; 3 |] pos len 0);
      part "blit" (fun pos len -> blit a pos [| 1; 2; 3 |] 0 len);
      part "blit" (fun pos len -> blit a 0 [| 1; 2; 3 |] pos len);
    ]

let parts_of_floatarrays =
  let open Weft.Floatarray in
  List.concat
    [
      part "iter_sub" (fun pos len -> iter_sub ~pos ~len ignore f);
      part "iteri_sub" (fun pos len -> iteri_sub ~pos ~len (fun _ _ -> ()) f);
      part "sum" (fun pos len -> sum ~pos ~len f);
      part "min" (fun pos len -> min ~pos ~len f);
      part "max" (fun pos len -> max ~pos ~len f);
      part "min_opt" (fun pos len -> min_opt ~pos ~len f);
      part "max_opt" (fun pos len -> max_opt ~pos ~len f);
      part "reduce" (fun pos len -> reduce ~pos ~len ( +. ) 0. f);
      part "fold" (fun pos len -> fold ~pos ~len ~combine:( +. ) ( +. ) 0. f);
      part "count" (fun pos len -> count ~pos ~len yes f);
      part "is_sorted" (fun pos len -> is_sorted ~pos ~len f);
      part "exists_sub" (fun pos len -> exists_sub ~pos ~len yes f);
      part "for_all_sub" (fun pos len -> for_all_sub ~pos ~len yes f);
      part "find_index_sub" (fun pos len -> find_index_sub ~pos ~len yes f);
      part "sub" (fun pos len -> sub f pos len);
      part "fill" (fun pos len -> fill (make 3 0.) pos len 0.);
      part "blit" (fun pos len -> blit f pos (make 3 0.) 0 len);
      part "blit" (fun pos len -> blit f 0 (make 3 0.) pos len);
    ]

let elements_of_atomic_arrays =
  let open Weft.Atomic_array in
  let a = make 3 0 in
  let element name call =
    List.map (fun i -> refused name (fun () -> call i)) [ -1; 3; min_int; max_int; 1 lsl 60; 1 lsl 61 ]
  in
  List.concat
    [
      element "get" (get a);
      element "set" (fun i -> set a i 1);
      element "exchange" (fun i -> exchange a i 1);
      element "compare_and_set" (fun i -> compare_and_set a i 0 1);
      element "fetch_and_add" (fun i -> fetch_and_add a i 1);
      element "incr" (incr a);
      element "decr" (decr a);
      element "write_min" (fun i -> write_min a i (-1));
      element "write_max" (fun i -> write_max a i 1);
      element "priority_update" (fun i -> priority_update ~better:never a i 1);
      [ right "of_array" (fun () -> to_array (of_array [||]) = [||]) ];
    ]

(* --- numbers --- *)

let chunk_sizes chunk_size =
  let open Weft in
  [
    refused "parallel_for" (fun () -> parallel_for ~chunk_size ~start:1 ~finish:9 ~body:never ());
    refused "parallel_for" (fun () -> parallel_for ~chunk_size ~start:9 ~finish:1 ~body:never ());
    refused "parallel_for_reduce" (fun () ->
        parallel_for_reduce ~chunk_size ~start:1 ~finish:9 ~body:never ( + ) 0);
    refused "parallel_for_blocks" (fun () ->
        parallel_for_blocks ~chunk_size ~start:1 ~finish:9 ~body:never ());
    refused "parallel_for_blocks" (fun () ->
        parallel_for_blocks ~chunk_size ~start:9 ~finish:1 ~body:never ());
    refused "parallel_for_reduce_blocks" (fun () ->
        parallel_for_reduce_blocks ~chunk_size ~start:1 ~finish:9 ~body:never ( + ) 0);
    refused "parallel_for_reduce_blocks" (fun () ->
        parallel_for_reduce_blocks ~chunk_size ~start:9 ~finish:1 ~body:never ( + ) 0);
    refused "speculative_for" (fun () ->
        speculative_for ~round:chunk_size ~start:1 ~finish:9 ~reserve:never ~commit:never ());
    refused "speculative_for" (fun () ->
        speculative_for ~round:chunk_size ~start:9 ~finish:1 ~reserve:never ~commit:never ());
    refused "parallel_find" (fun () -> parallel_find ~chunk_size ~start:1 ~finish:9 ~body:never ());
    refused "parallel_find_first" (fun () ->
        parallel_find_first ~chunk_size ~start:1 ~finish:9 ~body:never ());
  ]

let sizes n =
  let open Weft in
  let stage = Stage.parallel ignore in
  [
    refused "run" (fun () -> run ~domains:n never);
    refused "run" (fun () -> run ~domains:2 ~minor_heap:n never);
    refused "Pool.create" (fun () -> Pool.create ~domains:n ());
    refused "Pool.create" (fun () -> Pool.create ~minor_heap:n ());
    refused "Pool.with_pool" (fun () -> Pool.with_pool ~domains:n never);
    refused "Pool.with_pool" (fun () -> Pool.with_pool ~minor_heap:n never);
    refused "pipeline" (fun () -> pipeline ~tokens:n never stage);
    refused "pipeline_to_list" (fun () -> pipeline_to_list ~tokens:n never stage);
    refused "Limit.create" (fun () -> Limit.create n);
    refused "Barrier.create" (fun () -> Barrier.create n);
    refused "Random.int" (fun () -> Random.(int (make 1) n));
    refused "Random.int_at" (fun () -> Random.(int_at (make 1) 0 n));
    refused "Profile.upper_bound" (fun () ->
        Profile.upper_bound { work = 1.; span = 1.; burdened_span = 1. } ~workers:n);
    refused "Profile.lower_bound" (fun () ->
        Profile.lower_bound { work = 1.; span = 1.; burdened_span = 1. } ~workers:n);
  ]

let no_lengths n =
  let open Weft in
  [
    refused "Array.make" (fun () -> Array.make n 0);
    refused "Array.create_float" (fun () -> Array.create_float n);
    refused "Array.init" (fun () -> Array.init n never);
    refused "Array.make_matrix" (fun () -> Array.make_matrix n 1 0);
    refused "Array.make_matrix" (fun () -> Array.make_matrix 0 n 0);
    refused "Array.make_matrix" (fun () -> Array.make_matrix 2 n 0);
    refused "Array.init_matrix" (fun () -> Array.init_matrix n 1 never);
    refused "Array.init_matrix" (fun () -> Array.init_matrix 0 n never);
    refused "Array.init_matrix" (fun () -> Array.init_matrix 2 n never);
    refused "Floatarray.make_matrix" (fun () -> Floatarray.make_matrix n 1 0.);
    refused "Floatarray.make_matrix" (fun () -> Floatarray.make_matrix 0 n 0.);
    refused "Floatarray.init_matrix" (fun () -> Floatarray.init_matrix n 1 never);
    refused "Floatarray.init_matrix" (fun () -> Floatarray.init_matrix 0 n never);
    refused "Array.histogram" (fun () -> Array.histogram ~buckets:n Fun.id a);
    refused "Array.histogram" (fun () -> Array.histogram ~buckets:n never [||]);
    refused "Array.counting_sort" (fun () -> Array.counting_sort ~buckets:n ~key:Fun.id a);
    refused "Array.counting_sort" (fun () -> Array.counting_sort ~buckets:n ~key:never [||]);
    refused "Array.kth_smallest" (fun () -> Array.kth_smallest compare n a);
    refused "Floatarray.kth_smallest" (fun () -> Floatarray.kth_smallest n f);
    refused "Atomic_array.make" (fun () -> Atomic_array.make n 0);
    refused "Atomic_array.init" (fun () -> Atomic_array.init n never);
    refused "Array.reduce_by_index" (fun () -> Array.reduce_by_index ~buckets:n never 0 [||]);
    refused "Array.reduce_by_index" (fun () -> Array.reduce_by_index ~buckets:n never 0 [| (0, 1) |]);
    refused "Floatarray.create" (fun () -> Floatarray.create n);
    refused "Floatarray.make" (fun () -> Floatarray.make n 0.);
    refused "Floatarray.init" (fun () -> Floatarray.init n never);
    refused "List.init" (fun () -> List.init n never);
    refused "Random.permutation" (fun () -> Random.(permutation (make 1) n));
  ]

let bigarrays made n =
  let open Weft.Bigarray in
  let kind = Stdlib.Bigarray.int in
  let of_layout layout =
    [
      made "Bigarray.Array1.init" (fun () -> ignore (Array1.init kind layout n never));
      made "Bigarray.Array2.init" (fun () -> ignore (Array2.init kind layout 2 n never));
      made "Bigarray.Array2.init" (fun () -> ignore (Array2.init kind layout n 2 never));
      made "Bigarray.Array3.init" (fun () -> ignore (Array3.init kind layout 2 2 n never));
      made "Bigarray.Array3.init" (fun () -> ignore (Array3.init kind layout n 2 2 never));
    ]
  in
  of_layout Stdlib.Bigarray.c_layout @ of_layout Stdlib.Bigarray.fortran_layout

let no_room name = fails name (fun exn -> exn = Out_of_memory)

let negative n =
  let open Weft in
  [
    refused "exit_on_uncaught" (fun () -> exit_on_uncaught n);
    refused "Seq.init" (fun () -> Seq.init n never);
    refused "Seq.take" (fun () -> Seq.(take n empty));
    refused "Seq.drop" (fun () -> Seq.(drop n empty));
    refused "Seq.split_at" (fun () -> Seq.(split_at n empty));
    refused "Seq.step_by" (fun () -> Seq.(step_by n empty));
    refused "Seq.chunks" (fun () -> Seq.(chunks n empty));
    refused "Seq.windows" (fun () -> Seq.(windows n empty));
    refused "List.take" (fun () -> List.take n [ 1 ]);
    refused "List.drop" (fun () -> List.drop n [ 1 ]);
    refused "Chan.bounded" (fun () -> Chan.bounded n);
    refused "Latch.create" (fun () -> Latch.create n);
    refused "Latch.count_down" (fun () -> Latch.(count_down ~by:n (create 1)));
    refused "Semaphore.create" (fun () -> Semaphore.create n);
    refused "Semaphore.make" (fun () -> Semaphore.make n);
    refused "Broadcast.create" (fun () -> Broadcast.create n);
  ]

let too_large n =
  let open Weft in
  let ints () = Seq.init n Fun.id in
  [
    refused "exit_on_uncaught" (fun () -> exit_on_uncaught n);
    refused "Seq.to_array" (fun () -> Seq.to_array (ints ()));
    refused "Seq.to_floatarray" (fun () -> Seq.to_floatarray (Seq.map float (ints ())));
    refused "Seq.to_list" (fun () -> Seq.to_list (ints ()));
    refused "Seq.to_seq" (fun () -> Seq.to_seq (ints ()) ());
    refused "Seq.force" (fun () -> Seq.force (ints ()));
    refused "Seq.partition_to_arrays" (fun () -> Seq.partition_to_arrays never (ints ()));
    refused "Seq.to_string" (fun () -> Seq.to_string (Seq.map never (ints ())));
    refused "Seq.to_bytes" (fun () -> Seq.to_bytes (Seq.map never (ints ())));
    refused "Seq.concat_strings" (fun () -> Seq.concat_strings "" (Seq.map never (ints ())));
    refused "Seq.flatten" (fun () -> Seq.(iter ignore (flatten (map never (ints ())))));
    right "Seq.take" (fun () -> Seq.(length (take n (of_range 1 3))) = 3);
    right "Seq.drop" (fun () -> Seq.(length (drop n (of_range 1 3))) = 0);
    right "Seq.drop" (fun () -> Seq.(length (drop n (lines "/dev/null"))) = 0);
    right "Seq.step_by" (fun () -> Seq.(to_list (step_by n (of_range 1 3))) = [ 1 ]);
    right "Seq.chunks" (fun () -> Seq.(to_list (chunks n (of_range 1 3))) = [ [| 1; 2; 3 |] ]);
    right "Seq.windows" (fun () -> Seq.(to_list (windows n (of_range 1 3))) = []);
    refused "Seq.memoize" (fun () -> Seq.sum (Seq.memoize (ints ())));
    refused "Seq.to_dispenser" (fun () -> Seq.to_dispenser (ints ()) ());
  ]

let too_wide =
  let open Weft in
  let most = Seq.init max_int Fun.id in
  [
    refused "Seq.of_range" (fun () -> Seq.of_range min_int max_int);
    refused "Seq.append" (fun () -> Seq.append most most);
    refused "Seq.concat" (fun () -> Seq.concat [ most; most ]);
    refused "Seq.concat_list" (fun () -> Seq.concat_list [ most; most ]);
    refused "Seq.cons" (fun () -> Seq.cons 1 most);
    refused "Random.int_in_range" (fun () -> Random.(int_in_range (make 1) ~min:1 ~max:0));
    refused "Random.int_in_range" (fun () -> Random.(int_in_range (make 1) ~min:max_int ~max:min_int));
    right "Random.int_in_range" (fun () ->
        let random = Random.make 1 in
        let first = Random.int_in_range random ~min:min_int ~max:max_int in
        first <> Random.int_in_range random ~min:min_int ~max:max_int);
    right "Random.int_in_range" (fun () -> Random.(int_in_range (make 1) ~min:min_int ~max:min_int) = min_int);
    refused "Latch.count_down" (fun () -> Latch.(count_down ~by:2 (create 1)));
    refused "Semaphore.release" (fun () -> Semaphore.(release (create max_int)));
    refused "Broadcast.create" (fun () -> Broadcast.create max_int);
  ]

(* More elements than an array or a text may have, from one part that is there many times. Where the system gives
   no 16 GiB, which nobody touches, [Out_of_memory] is right, too. *)
let too_many =
  let open Weft in
  let most = Seq.init max_int Fun.id in
  let without_room name f =
    let like = function
      | Out_of_memory -> true
      | Invalid_argument message -> String.starts_with ~prefix:("Weft." ^ name ^ ": ") message
      | _ -> false
    in
    fails name like f
  in
  let times = 1 lsl 23 in
  (* The debug runtime fills what it allocates. *)
  let large make n = if Sys.runtime_variant () = "d" then raise Out_of_memory else make n in
  let array () : float array = large Stdlib.Array.create_float (1 lsl 31) in
  [
    refused "Seq.chunks" (fun () -> Seq.(iter ignore (chunks max_int most)));
    refused "Seq.windows" (fun () -> Seq.(iter ignore (windows max_int most)));
    fails "Seq.append"
      (function
        | Invalid_argument message ->
            Testing.Text.contains "Weft.Seq.append: more than max_int positions" message
        | _ -> false)
      (fun () ->
        let none = Seq.filter never most in
        Seq.(iter ignore (append none none)));
    without_room "Array.flatten" (fun () -> Array.flatten (Stdlib.Array.make times (array ())));
    without_room "Array.concat" (fun () ->
        let big = array () in
        Array.concat (Stdlib.List.init times (fun _ -> big)));
    without_room "Array.flat_map" (fun () ->
        let big = array () in
        Array.flat_map (fun () -> big) (Stdlib.Array.make times ()));
    without_room "Floatarray.concat" (fun () ->
        let big = large Float.Array.create (1 lsl 31) in
        Floatarray.concat (Stdlib.List.init times (fun _ -> big)));
    without_room "Seq.concat_strings" (fun () ->
        let big = Bytes.unsafe_to_string (large Bytes.create (1 lsl 34)) in
        Seq.(concat_strings "" (map (fun _ -> big) (init times Fun.id))));
  ]

(* The operation is refused whether it would wait or not. *)
let no_times seconds =
  let open Weft in
  let timeout = seconds in
  let full = Ivar.create () in
  Ivar.fill full 1;
  [
    refused "Chan.send" (fun () -> Chan.(send ~timeout (bounded 1) ()));
    refused "Chan.recv" (fun () ->
        let c = Chan.bounded 1 in
        Chan.send c 1;
        Chan.recv ~timeout c);
    refused "Barrier.wait" (fun () -> Barrier.(wait ~timeout (create 1)));
    refused "Latch.wait" (fun () -> Latch.(wait ~timeout (create 0)));
    refused "Ivar.read" (fun () -> Ivar.read ~timeout full);
    refused "Mvar.put" (fun () -> Mvar.(put ~timeout (create ()) 1));
    refused "Mvar.take" (fun () -> Mvar.(take ~timeout (create ~value:1 ())));
    refused "Mvar.read" (fun () -> Mvar.(read ~timeout (create ~value:1 ())));
    refused "Semaphore.acquire_timeout" (fun () -> Semaphore.(acquire_timeout seconds (create 1)));
    refused "sleep" (fun () -> sleep seconds);
    refused "Cancel.with_timeout" (fun () -> Cancel.with_timeout seconds never);
    refused "Cancel.with_deadline" (fun () -> Cancel.with_deadline seconds never);
    refused "Select.timeout" (fun () -> Select.timeout seconds never);
    refused "Broadcast.recv" (fun () -> Broadcast.(recv ~timeout (subscribe (create 1))));
    refused "Poisoning_mutex.protect_timeout" (fun () ->
        Poisoning_mutex.(protect_timeout seconds (create ()) never));
    refused "Poisoning_mutex.repair_timeout" (fun () ->
        Poisoning_mutex.(repair_timeout seconds (create ()) never));
    refused "Poisoning_mutex.wait_timeout" (fun () ->
        let m = Poisoning_mutex.create () in
        Poisoning_mutex.(protect m (fun () -> wait_timeout seconds m (Condition.create ()))));
    refused "Chan.send" (fun () -> Chan.(send ~timeout (bounded 0) ()));
    refused "Chan.recv" (fun () -> Chan.(recv ~timeout (bounded 0)));
    refused "Barrier.wait" (fun () -> Barrier.(wait ~timeout (create 2)));
    refused "Latch.wait" (fun () -> Latch.(wait ~timeout (create 1)));
    refused "Ivar.read" (fun () -> Ivar.(read ~timeout (create ())));
    refused "Mvar.put" (fun () -> Mvar.(put ~timeout (create ~value:1 ()) 2));
    refused "Mvar.take" (fun () -> Mvar.(take ~timeout (create ())));
    refused "Mvar.read" (fun () -> Mvar.(read ~timeout (create ())));
    refused "Mutex.lock_timeout" (fun () -> Mutex.(lock_timeout timeout (create ())));
    refused "Condition.wait_timeout" (fun () ->
        let m = Mutex.create () in
        Mutex.protect m (fun () -> Condition.(wait_timeout timeout (create ()) m)));
    refused "Semaphore.acquire_timeout" (fun () -> Semaphore.(acquire_timeout seconds (create 0)));
    refused "Rwlock.read_lock" (fun () -> Rwlock.(read_lock ~timeout (create ())));
    refused "Rwlock.write_lock" (fun () -> Rwlock.(write_lock ~timeout (create ())));
    refused "Profile.run" (fun () -> Profile.run ~burden:seconds never);
  ]

(* The time-out is negative: no operation waits. *)
let past_times seconds =
  let open Weft in
  let timeout = seconds in
  let timed_out exn = exn = Cancel.Timeout in
  [
    right "sleep" (fun () -> sleep seconds = ());
    refused "Profile.run" (fun () -> Profile.run ~burden:seconds never);
    fails "Cancel.with_timeout" timed_out (fun () -> Cancel.with_timeout seconds never);
    fails "Cancel.with_deadline" timed_out (fun () -> Cancel.with_deadline seconds never);
    right "Select.timeout" (fun () -> Select.(select [ timeout seconds (fun () -> true) ]));
    fails "Chan.send" timed_out (fun () -> Chan.(send ~timeout (bounded 0) ()));
    fails "Broadcast.recv" timed_out (fun () -> Broadcast.(recv ~timeout (subscribe (create 1))));
    right "Poisoning_mutex.protect_timeout" (fun () ->
        Poisoning_mutex.(protect_timeout seconds (create ()) (fun () -> true)));
    right "Poisoning_mutex.repair_timeout" (fun () ->
        Poisoning_mutex.(repair_timeout seconds (create ()) Option.is_none));
    fails "Chan.recv" timed_out (fun () -> Chan.(recv ~timeout (bounded 0)));
    fails "Poisoning_mutex.wait_timeout" timed_out (fun () ->
        let m = Poisoning_mutex.create () in
        Poisoning_mutex.(protect m (fun () -> wait_timeout seconds m (Condition.create ()))));
    fails "Barrier.wait" timed_out (fun () -> Barrier.(wait ~timeout (create 2)));
    fails "Latch.wait" timed_out (fun () -> Latch.(wait ~timeout (create 1)));
    fails "Ivar.read" timed_out (fun () -> Ivar.(read ~timeout (create ())));
    fails "Mvar.put" timed_out (fun () -> Mvar.(put ~timeout (create ~value:1 ()) 2));
    fails "Mvar.take" timed_out (fun () -> Mvar.(take ~timeout (create ())));
    fails "Mvar.read" timed_out (fun () -> Mvar.(read ~timeout (create ())));
    fails "Semaphore.acquire_timeout" timed_out (fun () -> Semaphore.(acquire_timeout seconds (create 0)));
    right "Mutex.lock_timeout" (fun () -> Mutex.(lock_timeout timeout (create ())) = ());
    right "Rwlock.read_lock" (fun () -> Rwlock.(read_lock ~timeout (create ())) = ());
    right "Rwlock.write_lock" (fun () -> Rwlock.(write_lock ~timeout (create ())) = ());
    fails "Condition.wait_timeout" timed_out (fun () ->
        let m = Mutex.create () in
        Mutex.protect m (fun () -> Condition.(wait_timeout timeout (create ()) m)));
  ]

(* --- lists, arrays and texts --- *)

let lengths =
  let open Weft in
  let short = [| 1 |] in
  let big1 n = Bigarray.Array1.init Stdlib.Bigarray.int Stdlib.Bigarray.c_layout n Fun.id in
  let bigf n = Bigarray.Array1.init Stdlib.Bigarray.float64 Stdlib.Bigarray.c_layout n float in
  let big2 n = Bigarray.Array2.init Stdlib.Bigarray.int Stdlib.Bigarray.c_layout n 2 ( + ) in
  let big3 n = Bigarray.Array3.init Stdlib.Bigarray.int Stdlib.Bigarray.c_layout 2 2 n (fun _ _ x -> x) in
  [
    refused "Array.map2" (fun () -> Array.map2 never a short);
    refused "Array.iter2" (fun () -> Array.iter2 never a short);
    refused "Array.combine" (fun () -> Array.combine a short);
    refused "Array.minmax" (fun () -> Array.minmax never [||]);
    refused "Array.min_index" (fun () -> Array.min_index never [||]);
    refused "Array.max_index" (fun () -> Array.max_index never [||]);
    refused "Array.pack" (fun () -> Array.pack [| true |] a);
    right "Array.equal" (fun () -> not (Array.equal never a short));
    right "Array.compare" (fun () -> Array.compare never a short > 0);
    right "Array.mismatch" (fun () -> Array.mismatch ( = ) a short = Some 1);
    right "Array.rotate" (fun () -> Array.rotate min_int [| 1 |] = [| 1 |]);
    refused "Array.exists2" (fun () -> Array.exists2 never a short);
    refused "Array.for_all2" (fun () -> Array.for_all2 never short a);
    refused "Floatarray.iter2" (fun () -> Floatarray.iter2 never f (floats 1));
    refused "List.rev_map2" (fun () -> List.rev_map2 never [ 1; 2 ] [ 1 ]);
    refused "List.iter2" (fun () -> List.iter2 never [ 1; 2 ] [ 1 ]);
    refused "List.exists2" (fun () -> List.exists2 never [ 1; 2 ] [ 1 ]);
    refused "List.for_all2" (fun () -> List.for_all2 never [] [ 1 ]);
    refused "Array.min" (fun () -> Array.min compare [||]);
    refused "Array.max" (fun () -> Array.max compare [||]);
    refused "Array.histogram" (fun () -> Array.histogram ~buckets:1 Fun.id a);
    refused "Array.histogram" (fun () -> Array.histogram ~buckets:9 Int.neg a);
    refused "Array.histogram" (fun () -> Array.histogram ~buckets:9 (Fun.const min_int) a);
    refused "Array.counting_sort" (fun () -> Array.counting_sort ~buckets:1 ~key:Fun.id a);
    refused "Array.counting_sort" (fun () -> Array.counting_sort ~buckets:9 ~key:(Fun.const min_int) a);
    refused "Array.kth_smallest" (fun () -> Array.kth_smallest never 0 [||]);
    refused "Array.kth_smallest" (fun () -> Array.kth_smallest never 3 a);
    refused "Floatarray.kth_smallest" (fun () -> Floatarray.kth_smallest 3 f);
    refused "Floatarray.map2" (fun () -> Floatarray.map2 never f (floats 1));
    refused "Floatarray.dot" (fun () -> Floatarray.dot f (floats 1));
    refused "Floatarray.min" (fun () -> Floatarray.min (floats 0));
    refused "Floatarray.max" (fun () -> Floatarray.max (floats 0));
    refused "List.map2" (fun () -> List.map2 never [ 1; 2 ] [ 1 ]);
    refused "Bigarray.Array1.dot" (fun () -> Bigarray.Array1.dot (bigf 2) (bigf 3));
    refused "Bigarray.Array1.min" (fun () -> Bigarray.Array1.min (bigf 0));
    refused "Bigarray.Array1.max" (fun () -> Bigarray.Array1.max (bigf 0));
    right "Bigarray.Array1.sum" (fun () -> Bigarray.Array1.sum (bigf 0) = 0.);
    refused "Bigarray.Array1.blit" (fun () -> Bigarray.Array1.blit (big1 2) (big1 3));
    refused "Bigarray.Array2.blit" (fun () -> Bigarray.Array2.blit (big2 2) (big2 3));
    refused "Bigarray.Array3.blit" (fun () -> Bigarray.Array3.blit (big3 2) (big3 3));
    refused "Promise.any" (fun () -> Promise.any []);
    refused "Promise.race" (fun () -> Promise.race []);
    refused "Select.select" (fun () -> Select.select []);
    refused "Select.select_in_order" (fun () -> Select.select_in_order []);
  ]

(* Calls with an empty list or array. *)
let nothing =
  let open Weft in
  [
    right "all" (fun () -> all [] = ([] : unit list));
    right "all_settled" (fun () -> all_settled [] = ([] : (unit, _) result list));
    right "parallel_scan" (fun () -> parallel_scan never [||] = [||]);
    right "parallel_scan_exclusive" (fun () -> parallel_scan_exclusive never 1 [||] = [||]);
    right "Select.poll_in_order" (fun () -> Select.poll_in_order [] = (None : unit option));
    right "Pool.pp_stats" (fun () -> String.length (Format.asprintf "%a" Pool.pp_stats [||]) >= 0);
    right "Stats.to_prometheus" (fun () ->
        not (Testing.Text.contains "{pool" (Stats.to_prometheus ~pools:[] ())));
    right "Promise.all" (fun () -> Promise.(await (all [])) = ([] : unit list));
    right "Select.try_select" (fun () -> Select.try_select [] = (None : unit option));
    right "Select.try_select_in_order" (fun () -> Select.try_select_in_order [] = (None : unit option));
    right "Select.poll" (fun () -> Select.poll [] = (None : unit option));
    right "Seq.of_string" (fun () -> Seq.(length (of_string "")) = 0);
    right "Seq.of_bytes" (fun () -> Seq.(length (of_bytes Bytes.empty)) = 0);
    right "Seq.of_bigarray" (fun () ->
        Seq.(length (of_bigarray Stdlib.Bigarray.(Array1.create Int C_layout 0))) = 0);
    right "Seq.Text.of_string" (fun () -> Seq.(to_list Text.(lines (of_string ""))) = []);
    right "Seq.Text.of_bytes" (fun () -> Seq.(to_list Text.(tokens (of_bytes Bytes.empty))) = []);
    right "Seq.Text.of_bigarray" (fun () ->
        Seq.(to_list Text.(split_on_char ',' (of_bigarray Stdlib.Bigarray.(Array1.create Char C_layout 0))))
        = [ "" ]);
    right "Seq.of_list" (fun () -> Seq.(length (of_list [])) = 0);
    right "Seq.of_array" (fun () -> Seq.(length (of_array [||])) = 0);
    right "Seq.of_floatarray" (fun () -> Seq.(length (of_floatarray (floats 0))) = 0);
    right "Seq.concat_list" (fun () -> Seq.(length (concat_list [])) = 0);
    right "Seq.concat" (fun () -> Seq.(length (concat [])) = 0);
    right "Random.shuffle" (fun () -> Random.(shuffle (make 1) [||]) = ());
  ]

let no_elements =
  let open Weft.Array in
  let gives name expected f = right name (fun () -> f [||] = expected) in
  [
    gives "length" 0 length;
    gives "of_list" [||] (fun (_ : int array) -> of_list []);
    gives "to_list" [] to_list;
    gives "to_seq" 0 (fun a -> Seq.length (to_seq a));
    gives "append" [||] (fun a -> append a a);
    gives "concat" [||] (fun (_ : int array) -> concat []);
    gives "flatten" [||] flatten;
    gives "copy" [||] copy;
    gives "rev" [||] rev;
    gives "map" [||] (map never);
    gives "mapi" [||] (mapi never);
    gives "iter" () (iter never);
    gives "iteri" () (iteri never);
    gives "map_inplace" () (map_inplace never);
    gives "mapi_inplace" () (mapi_inplace never);
    gives "exists" false (exists never);
    gives "for_all" true (for_all never);
    gives "mem" false (mem 1);
    gives "memq" false (memq 1);
    gives "find_opt" None (find_opt never);
    gives "find_index" None (find_index never);
    gives "find_map" None (find_map never);
    gives "find_mapi" None (find_mapi never);
    gives "split" ([||], [||]) split;
    gives "filter" [||] (filter never);
    gives "filteri" [||] (filteri never);
    gives "pack" [||] (pack [||]);
    gives "pack_index" [||] (fun (_ : int array) -> pack_index [||]);
    gives "rotate" [||] (rotate 1);
    gives "equal" true (fun a -> equal never a a);
    gives "compare" 0 (fun a -> compare never a a);
    gives "mismatch" None (fun a -> mismatch never a a);
    gives "scan_total" ([||], 1) (scan_total never 1);
    gives "prefix_sums" [||] prefix_sums;
    gives "filter_map" [||] (filter_map never);
    gives "partition" ([||], [||]) (partition never);
    gives "flat_map" [||] (flat_map never);
    gives "fold_left" 1 (fold_left never 1);
    gives "fold_right" 1 (fun a -> fold_right never a 1);
    gives "group_by" [||] (fun a -> group_by ~key:never a);
    gives "group_by_key" [||] (fun (_ : int array) -> group_by_key ([||] : (int * int) array));
    gives "reduce_by_key" [||] (fun (_ : int array) -> reduce_by_key never ([||] : (int * int) array));
    gives "reduce_by_index" [| 1 |] (fun (_ : int array) -> reduce_by_index ~buckets:1 never 1 [||]);
    gives "histogram_by_key" [||] (fun a -> histogram_by_key ~key:never a);
    gives "remove_duplicates" [||] remove_duplicates;
    gives "scan" [||] (scan never);
    gives "scan_inclusive" [||] (scan_inclusive never);
    gives "scan_exclusive" [||] (scan_exclusive never 1);
    gives "sort" () (sort never);
    gives "stable_sort" () (stable_sort never);
    gives "fast_sort" () (fast_sort never);
    gives "sorted" [||] (sorted never);
    gives "sort_by_key" () (sort_by_key ~key:never never);
    gives "integer_sort" () (integer_sort ~key:never);
    gives "rank" [||] (rank never);
    gives "sort_uniq" [||] (sort_uniq never);
    gives "dedup" [||] (dedup never);
    gives "merge" [||] (fun a -> merge never a a);
    gives "shuffle" () (shuffle (Weft.Random.make 1));
  ]

let no_floats =
  let open Weft.Floatarray in
  let gives name expected f = right name (fun () -> f (floats 0) = expected) in
  let empty = floats 0 in
  [
    gives "length" 0 length;
    gives "of_array" empty (fun _ -> of_array [||]);
    gives "to_array" [||] to_array;
    gives "append" empty (fun a -> append a a);
    gives "concat" empty (fun _ -> concat []);
    gives "copy" empty copy;
    gives "map" empty (map never);
    gives "mapi" empty (mapi never);
    gives "map_to_array" [||] (map_to_array never);
    gives "iter" () (iter never);
    gives "iteri" () (iteri never);
    gives "exists" false (exists never);
    gives "for_all" true (for_all never);
    gives "find_index" None (find_index never);
    gives "map_of_array" empty (fun _ -> map_of_array never [||]);
    gives "map_from_array" empty (fun _ -> map_from_array never [||]);
    gives "map_inplace" () (map_inplace never);
    gives "mapi_inplace" () (mapi_inplace never);
    gives "mem" false (mem nan);
    gives "mem_ieee" false (mem_ieee nan);
    gives "find_opt" None (find_opt never);
    gives "find_map" None (find_map never);
    gives "find_mapi" None (find_mapi never);
    gives "stable_sort" () (stable_sort never);
    gives "fast_sort" () (fast_sort never);
    gives "filter" empty (filter never);
    gives "scan" empty (scan never);
    gives "scan_inclusive" empty (scan_inclusive never);
    gives "prefix_sums" empty prefix_sums;
    gives "min_opt" None min_opt;
    gives "max_opt" None max_opt;
    gives "scan_exclusive" empty (scan_exclusive never 1.);
    gives "sort" () sort;
    gives "sort_floats" () sort_floats;
    gives "sorted" empty sorted;
    gives "rank" [||] rank;
  ]

let no_items =
  let open Weft.List in
  let gives name expected f = right name (fun () -> f [] = expected) in
  let missing name f = fails name (fun exn -> exn = Not_found) (fun () -> f []) in
  [
    gives "map" [] (map never);
    gives "mapi" [] (mapi never);
    gives "iter" () (iter never);
    gives "iteri" () (iteri never);
    gives "filter" [] (filter never);
    gives "filter_map" [] (filter_map never);
    gives "filter_mapi" [] (filter_mapi never);
    gives "partition" ([], []) (partition never);
    gives "split_map" ([], []) (split_map never);
    gives "concat_map" [] (concat_map never);
    gives "reduce" 1 (reduce never 1);
    gives "fold" 1 (fold ~combine:never never 1);
    gives "count" 0 (count never);
    gives "for_all" true (for_all never);
    gives "exists" false (exists never);
    gives "mem" false (mem 1);
    missing "find" (find never);
    gives "find_opt" None (find_opt never);
    gives "find_map" None (find_map never);
    gives "rev_map" [] (rev_map never);
    gives "find_all" [] (find_all never);
    gives "filteri" [] (filteri never);
    gives "partition_map" ([], []) (partition_map never);
    gives "find_index" None (find_index never);
    gives "find_mapi" None (find_mapi never);
    gives "take_while" [] (take_while never);
    gives "drop_while" [] (drop_while never);
    gives "sort" [] (sort never);
    gives "stable_sort" [] (stable_sort never);
    gives "fast_sort" [] (fast_sort never);
    gives "sort_uniq" [] (sort_uniq never);
  ]

(* The message contains the path as the user has written it. *)
let tells path = function Sys_error message -> String.starts_with ~prefix:(path ^ ": ") message | _ -> false

(* While events are written; no other test is traced. *)
let traced f =
  Weft.Trace.start ();
  Runtime_events.resume ();
  Fun.protect f ~finally:(fun () ->
      Runtime_events.pause ();
      !Weft_scheduler.Trace_hooks.listener.look ())

let texts =
  let open Weft in
  let profile = lazy (snd (Profile.run ignore)) in
  let on_paths name call = List.map (fun path -> fails name (tells path) (fun () -> call path)) in
  [
    refused "Pool.create" (fun () -> Pool.create ~name:"default" ());
    refused "Pool.with_pool" (fun () -> Pool.with_pool ~name:"default" never);
    refused "Pool.with_pool" (fun () ->
        Pool.with_pool ~name:"twice" ~domains:1 (fun _ -> Pool.with_pool ~name:"twice" never));
    right "Pool.find" (fun () -> Option.is_none (Pool.find ""));
    right "Profile.region" (fun () -> Profile.region "" (fun () -> true));
    right "Trace.region" (fun () -> Trace.region (String.make 100_000 'x') (fun () -> true));
    right "Trace.named" (fun () -> Trace.named (String.make 100_000 'x') (fun () -> true) ());
    right "Trace.instant" (fun () -> Trace.instant (String.make 100_000 'x') = ());
  ]
  @ on_paths "Seq.Text.of_file"
      (fun path -> Seq.Text.(length (of_file path)))
      [ ""; "/nowhere/at all"; "/"; "nul\000byte" ]
  @ on_paths "Seq.lines" (fun path -> Seq.(length (lines path))) [ ""; "/nowhere/at all"; "/"; "nul\000byte" ]
  @ on_paths "Trace.dump_last"
      (fun path -> traced (fun () -> Trace.dump_last path))
      [ ""; "/nowhere/at all"; "/"; "nul\000byte" ]
  @ on_paths "Profile.save"
      (fun path -> Profile.save path (Lazy.force profile))
      [ ""; "/nowhere/at all"; "/"; "nul\000byte" ]

(* --- states --- *)

let who_may_not =
  let open Weft in
  let task () = async ignore and settled () = Promise.of_value () in
  let closed () =
    let left = ref None in
    Scope.run (fun s -> left := Some s);
    Option.get !left
  and closed_pool () =
    let left = ref None in
    Pool.with_pool ~domains:1 (fun p -> left := Some p);
    Option.get !left
  in
  [
    refused "Pool.run" (fun () -> Pool.run (closed_pool ()) never);
    refused "Pool.async" (fun () -> Pool.async (closed_pool ()) never);
    refused "Promise.resolve" (fun () -> Promise.resolve (settled ()) ());
    refused "Promise.reject" (fun () -> Promise.reject (settled ()) Exit);
    refused "Promise.resolve" (fun () -> Promise.resolve (task ()) ());
    refused "Promise.reject" (fun () -> Promise.reject (task ()) Exit);
    refused "Scope.async" (fun () -> Scope.async (closed ()) ignore);
    refused "Scope.start" (fun () -> Scope.start (closed ()) ignore);
    refused "Promise.cancel" (fun () -> Promise.cancel (Promise.create ()));
    refused "Ivar.fill" (fun () ->
        let v = Ivar.create () in
        Ivar.fill v 1;
        Ivar.fill v 2);
    refused "Mutex.unlock" (fun () -> Mutex.(unlock (create ())));
    refused "Mutex.lock" (fun () ->
        let m = Mutex.create () in
        Mutex.lock m;
        Mutex.lock m);
    refused "Mutex.protect" (fun () ->
        let m = Mutex.create () in
        Mutex.protect m (fun () -> Mutex.protect m never));
    refused "Pool.worker_index" (fun () -> blocking Pool.worker_index);
    refused "Condition.wait" (fun () -> Condition.wait (Condition.create ()) (Mutex.create ()));
    refused "Poisoning_mutex.wait" (fun () -> Poisoning_mutex.(wait (create ()) (Condition.create ())));
    refused "Rwlock.read_unlock" (fun () -> Rwlock.(read_unlock (create ())));
    refused "Rwlock.write_unlock" (fun () -> Rwlock.(write_unlock (create ())));
    refused "Rwlock.write_lock" (fun () ->
        let l = Rwlock.create () in
        Rwlock.write_lock l;
        Rwlock.write_lock l);
    refused "Rwlock.read_lock" (fun () ->
        let l = Rwlock.create () in
        Rwlock.write_lock l;
        Rwlock.read_lock l);
    refused "Rwlock.read" (fun () ->
        let l = Rwlock.create () in
        Rwlock.write l (fun () -> Rwlock.read l never));
    refused "Rwlock.write" (fun () ->
        let l = Rwlock.create () in
        Rwlock.write l (fun () -> Rwlock.write l never));
    refused "Once.get" (fun () ->
        let rec once = lazy (Once.make (fun () -> Once.get (Lazy.force once))) in
        Once.get (Lazy.force once));
  ]

let weft tables = List.map (fun (what, rows) -> (what, under "Weft" rows)) tables

let no_signals =
  List.map
    (fun s -> refused "Dump.at_signal" (fun () -> Weft.Dump.at_signal s))
    [ Sys.sigkill; 1_000; min_int; max_int ]

let tables =
  weft
    [
      ("parts of arrays", under "Array" parts_of_arrays);
      ("parts of float arrays", under "Floatarray" parts_of_floatarrays);
      ("elements of atomic arrays", under "Atomic_array" elements_of_atomic_arrays);
      ("chunk sizes", List.concat_map chunk_sizes [ 0; -1; min_int ]);
      ("sizes", List.concat_map sizes [ 0; -1; min_int ]);
      ("negative numbers", List.concat_map negative [ -1; min_int ]);
      ("bigarrays", List.concat_map (bigarrays refused) [ -1; min_int ] @ bigarrays no_room max_int);
      ( "lengths that no array has",
        List.concat_map no_lengths [ -1; min_int; Sys.max_array_length + 1; max_int ] );
      ("sequences that are too long", List.concat_map too_large [ Sys.max_array_length + 1; max_int ]);
      ("numbers that are too large", too_wide);
      ("more than fits", too_many);
      ("times", no_times nan @ List.concat_map past_times [ -1.; neg_infinity ]);
      ("lengths", lengths);
      ("nothing", nothing);
      ("no elements", under "Array" no_elements @ under "Floatarray" no_floats @ under "List" no_items);
      ("texts", texts);
      ("who may not", who_may_not);
      ("no signals", no_signals);
    ]

let exceptions =
  [
    ( "OCaml's own",
      List.filter
        (fun name -> not (List.exists (has_row name) (List.concat_map snd tables)))
        Testing_standard.Own.whole_names );
    ("OCaml's own, whose message has no name", each_of [ "Weft.Array"; "Weft.Floatarray" ] [ "get"; "set" ]);
    ("unchecked", each_of [ "Weft.Array"; "Weft.Floatarray" ] [ "unsafe_get"; "unsafe_set" ]);
    ( "any text",
      [ "Weft.Scope.cancel"; "Weft.Cancel.cancel"; "Weft.Promise.Resolver.withdraw" ]
      @ each_of [ "Weft.Chan"; "Weft.Condition"; "Weft.Mutex"; "Weft.Rwlock"; "Weft.Semaphore" ] [ "named" ]
    );
    ( "any bigarray",
      each_of
        [ "Weft.Bigarray.Array1"; "Weft.Bigarray.Array2"; "Weft.Bigarray.Array3" ]
        [ "fill"; "map"; "map_inplace"; "iter"; "iteri"; "reduce"; "fold" ] );
    ( "any integer, any number",
      each_of [ "Weft.Random" ] [ "make"; "at"; "bits_at"; "bits64_at"; "bool_at"; "uniform"; "float_at" ] );
  ]

let none_is_left_out () =
  check_complete (Public_functions.of_library "Weft") (List.concat_map snd tables) exceptions

let everywhere rows () =
  check rows;
  Weft.run ~domains:2 (fun () -> check rows)

let tests =
  case "none is left out" none_is_left_out
  :: List.map (fun (what, rows) -> case what (everywhere rows)) tables
