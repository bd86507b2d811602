open Support

(* Arguments that mean nothing: the message of Invalid_argument begins with the function that the caller has called. One line for each
   function that takes a number, a range or a list which may be absurd, and for each way to misuse one. *)

let ignoring f () = ignore (Sys.opaque_identity (f ()))
let a = [| 1; 2; 3 |]
let f = Weft.Floatarray.of_array [| 1.; 2.; 3. |]
let is_even n = n land 1 = 0
let yes _ = true

(* Each with an optional part of the array: [pos], [len]. *)
let parts_of_arrays =
  let open Weft.Array in
  [
    ("iter", fun pos len -> iter ~pos ~len ignore a);
    ("iteri", fun pos len -> iteri ~pos ~len (fun _ _ -> ()) a);
    ("map_inplace", fun pos len -> map_inplace ~pos ~len Fun.id [| 1; 2; 3 |]);
    ("mapi_inplace", fun pos len -> mapi_inplace ~pos ~len (fun _ x -> x) [| 1; 2; 3 |]);
    ("reduce", fun pos len -> ignore (reduce ~pos ~len ( + ) 0 a));
    ("map_reduce", fun pos len -> ignore (map_reduce ~pos ~len Fun.id ( + ) 0 a));
    ("fold", fun pos len -> ignore (fold ~pos ~len ~combine:( + ) ( + ) 0 a));
    ("count", fun pos len -> ignore (count ~pos ~len is_even a));
    ("min", fun pos len -> ignore (min ~pos ~len compare a));
    ("max", fun pos len -> ignore (max ~pos ~len compare a));
    ("min_opt", fun pos len -> ignore (min_opt ~pos ~len compare a));
    ("max_opt", fun pos len -> ignore (max_opt ~pos ~len compare a));
    ("histogram", fun pos len -> ignore (histogram ~pos ~len ~buckets:4 Fun.id a));
    ("exists", fun pos len -> ignore (exists ~pos ~len yes a));
    ("for_all", fun pos len -> ignore (for_all ~pos ~len yes a));
    ("mem", fun pos len -> ignore (mem ~pos ~len 1 a));
    ("memq", fun pos len -> ignore (memq ~pos ~len 1 a));
    ("find", fun pos len -> ignore (find ~pos ~len yes a));
    ("find_opt", fun pos len -> ignore (find_opt ~pos ~len yes a));
    ("find_index", fun pos len -> ignore (find_index ~pos ~len yes a));
    ("find_map", fun pos len -> ignore (find_map ~pos ~len Option.some a));
    ("find_mapi", fun pos len -> ignore (find_mapi ~pos ~len (fun _ x -> Some x) a));
    ("sub", fun pos len -> ignore (sub a pos len));
    ("fill", fun pos len -> fill [| 1; 2; 3 |] pos len 0);
    ("blit", fun pos len -> blit a pos [| 1; 2; 3 |] 0 len);
    ("blit", fun pos len -> blit a 0 [| 1; 2; 3 |] pos len);
  ]

let parts_of_floatarrays =
  let open Weft.Floatarray in
  [
    ("iter", fun pos len -> iter ~pos ~len ignore f);
    ("iteri", fun pos len -> iteri ~pos ~len (fun _ _ -> ()) f);
    ("sum", fun pos len -> ignore (sum ~pos ~len f));
    ("min", fun pos len -> ignore (min ~pos ~len f));
    ("max", fun pos len -> ignore (max ~pos ~len f));
    ("reduce", fun pos len -> ignore (reduce ~pos ~len ( +. ) 0. f));
    ("fold", fun pos len -> ignore (fold ~pos ~len ~combine:( +. ) ( +. ) 0. f));
    ("count", fun pos len -> ignore (count ~pos ~len yes f));
    ("exists", fun pos len -> ignore (exists ~pos ~len yes f));
    ("for_all", fun pos len -> ignore (for_all ~pos ~len yes f));
    ("find_index", fun pos len -> ignore (find_index ~pos ~len yes f));
    ("sub", fun pos len -> ignore (sub f pos len));
    ("fill", fun pos len -> fill (make 3 0.) pos len 0.);
    ("blit", fun pos len -> blit f pos (make 3 0.) 0 len);
    ("blit", fun pos len -> blit f 0 (make 3 0.) pos len);
  ]

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

let parts prefix functions =
  List.concat_map
    (fun (name, call) ->
      List.map (fun (pos, len) -> (prefix ^ name, fun () -> call pos len)) outside_of_three)
    functions

let chunk_sizes =
  let open Weft in
  let loops chunk_size =
    [
      ("parallel_for", fun () -> parallel_for ~chunk_size ~start:1 ~finish:9 ~body:ignore ());
      ("parallel_for", fun () -> parallel_for ~chunk_size ~start:9 ~finish:1 ~body:ignore ());
      ( "parallel_for_reduce",
        ignoring (fun () -> parallel_for_reduce ~chunk_size ~start:1 ~finish:9 ~body:Fun.id ( + ) 0) );
      ("parallel_find", ignoring (fun () -> parallel_find ~chunk_size ~start:1 ~finish:9 ~body:Option.some ()));
      ( "parallel_find_first",
        ignoring (fun () -> parallel_find_first ~chunk_size ~start:1 ~finish:9 ~body:Option.some ()) );
    ]
  in
  List.concat_map loops [ 0; -1; min_int ]

let nothing () = None
let stage () = Weft.Stage.parallel ignore

let sizes n =
  let open Weft in
  [
    ("run", ignoring (fun () -> run ~domains:n ignore));
    ("run", ignoring (fun () -> run ~domains:2 ~minor_heap:n ignore));
    ("Pool.create", ignoring (fun () -> Pool.create ~domains:n ()));
    ("Pool.create", ignoring (fun () -> Pool.create ~minor_heap:n ()));
    ("Pool.with_pool", ignoring (fun () -> Pool.with_pool ~domains:n ignore));
    ("Pool.with_pool", ignoring (fun () -> Pool.with_pool ~minor_heap:n ignore));
    ("pipeline", fun () -> pipeline ~tokens:n nothing (stage ()));
    ("pipeline_to_list", ignoring (fun () -> pipeline_to_list ~tokens:n nothing (stage ())));
    ("Limit.create", ignoring (fun () -> Limit.create n));
    ("Barrier.create", ignoring (fun () -> Barrier.create n));
    ("Random.int", ignoring (fun () -> Random.(int (make 1) n)));
    ("Random.int_at", ignoring (fun () -> Random.(int_at (make 1) 0 n)));
  ]

let negative n =
  let open Weft in
  let kind = Stdlib.Bigarray.int and layout = Stdlib.Bigarray.c_layout in
  [
    ("Array.make", ignoring (fun () -> Array.make n 0));
    ("Array.create_float", ignoring (fun () -> Array.create_float n));
    ("Array.init", ignoring (fun () -> Array.init n Fun.id));
    ("Array.histogram", ignoring (fun () -> Array.histogram ~buckets:n Fun.id a));
    ("Floatarray.create", ignoring (fun () -> Floatarray.create n));
    ("Floatarray.make", ignoring (fun () -> Floatarray.make n 0.));
    ("Floatarray.init", ignoring (fun () -> Floatarray.init n float));
    ("List.init", ignoring (fun () -> List.init n Fun.id));
    ("Seq.init", ignoring (fun () -> Seq.init n Fun.id));
    ("Random.permutation", ignoring (fun () -> Random.(permutation (make 1) n)));
    ("Chan.bounded", ignoring (fun () -> Chan.bounded n));
    ("Latch.create", ignoring (fun () -> Latch.create n));
    ("Latch.count_down", fun () -> Latch.(count_down ~by:n (create 1)));
    ("Semaphore.create", ignoring (fun () -> Semaphore.create n));
    ("Bigarray.Array1.init", ignoring (fun () -> Bigarray.Array1.init kind layout n Fun.id));
    ("Bigarray.Array2.init", ignoring (fun () -> Bigarray.Array2.init kind layout 2 n ( + )));
    ("Bigarray.Array2.init", ignoring (fun () -> Bigarray.Array2.init kind layout n 2 ( + )));
    ("Bigarray.Array3.init", ignoring (fun () -> Bigarray.Array3.init kind layout 2 2 n (fun _ _ x -> x)));
  ]

let lengths_that_differ =
  let open Weft in
  let short = [| 1 |] in
  [
    ("Array.map2", ignoring (fun () -> Array.map2 ( + ) a short));
    ("Array.iter2", fun () -> Array.iter2 (fun _ _ -> ()) a short);
    ("Array.combine", ignoring (fun () -> Array.combine a short));
    ("Array.min", ignoring (fun () -> Array.min compare [||]));
    ("Array.max", ignoring (fun () -> Array.max compare [||]));
    ("Array.histogram", ignoring (fun () -> Array.histogram ~buckets:1 Fun.id a));
    ("Array.histogram", ignoring (fun () -> Array.histogram ~buckets:9 Int.neg a));
    ("Floatarray.map2", ignoring (fun () -> Floatarray.(map2 ( +. ) f (make 1 0.))));
    ("Floatarray.min", ignoring (fun () -> Floatarray.(min (make 0 0.))));
    ("Floatarray.max", ignoring (fun () -> Floatarray.(max (make 0 0.))));
    ("List.map2", ignoring (fun () -> List.map2 ( + ) [ 1; 2 ] [ 1 ]));
    ("Promise.any", ignoring (fun () -> Promise.any []));
    ("Promise.race", ignoring (fun () -> Promise.race []));
    ("Select.select", ignoring (fun () -> Select.select []));
  ]

let too_wide =
  let open Weft in
  [
    ("Seq.of_range", ignoring (fun () -> Seq.of_range min_int max_int));
    ("Seq.append", ignoring (fun () -> Seq.(append (init max_int Fun.id) (init max_int Fun.id))));
    ("Random.int_in_range", ignoring (fun () -> Random.(int_in_range (make 1) ~min:1 ~max:0)));
    ("Random.int_in_range", ignoring (fun () -> Random.(int_in_range (make 1) ~min:max_int ~max:min_int)));
    ("Latch.count_down", fun () -> Latch.(count_down ~by:2 (create 1)));
    ("Semaphore.release", fun () -> Semaphore.(release (create max_int)));
  ]

let no_time =
  let open Weft in
  [
    ("sleep", fun () -> sleep nan);
    ("Cancel.with_timeout", fun () -> Cancel.with_timeout nan ignore);
    ("Cancel.with_deadline", fun () -> Cancel.with_deadline nan ignore);
    ("Select.timeout", ignoring (fun () -> Select.timeout nan ignore));
    ("Chan.send", fun () -> Chan.(send ~timeout:nan (bounded 0) ()));
    ("Chan.recv", fun () -> Chan.(recv ~timeout:nan (bounded 0)));
    ("Barrier.wait", ignoring (fun () -> Barrier.(wait ~timeout:nan (create 2))));
    ("Latch.wait", fun () -> Latch.(wait ~timeout:nan (create 1)));
    ("Ivar.read", fun () -> Ivar.(read ~timeout:nan (create ())));
    ("Mvar.take", fun () -> Mvar.(take ~timeout:nan (create ())));
    ("Profile.run", ignoring (fun () -> Profile.run ~burden:nan ignore));
    ("Profile.run", ignoring (fun () -> Profile.run ~burden:(-1.) ignore));
  ]

let who_may_not =
  let open Weft in
  let task () = async ignore and settled () = Promise.of_value () in
  let closed () =
    let left = ref None in
    Scope.run (fun s -> left := Some s);
    Option.get !left
  in
  [
    ("Promise.resolve", fun () -> Promise.resolve (settled ()) ());
    ("Promise.reject", fun () -> Promise.reject (settled ()) Exit);
    ("Promise.resolve", fun () -> Promise.resolve (task ()) ());
    ("Promise.reject", fun () -> Promise.reject (task ()) Exit);
    ("Scope.async", ignoring (fun () -> Scope.async (closed ()) ignore));
    ( "Ivar.fill",
      fun () ->
        let v = Ivar.create () in
        Ivar.fill v 1;
        Ivar.fill v 2 );
    ("Mutex.unlock", fun () -> Mutex.(unlock (create ())));
    ( "Mutex.lock",
      fun () ->
        let m = Mutex.create () in
        Mutex.lock m;
        Mutex.lock m );
    ("Pool.worker_index", ignoring (fun () -> blocking Pool.worker_index));
    ("Condition.wait", fun () -> Condition.wait (Condition.create ()) (Mutex.create ()));
    ("Rwlock.read_unlock", fun () -> Rwlock.(read_unlock (create ())));
    ("Rwlock.write_unlock", fun () -> Rwlock.(write_unlock (create ())));
    ( "Rwlock.write_lock",
      fun () ->
        let l = Rwlock.create () in
        Rwlock.write_lock l;
        Rwlock.write_lock l );
    ( "Once.get",
      fun () ->
        let rec once = lazy (Once.make (fun () -> Once.get (Lazy.force once))) in
        Once.get (Lazy.force once) );
  ]

let named prefix calls = List.map (fun (name, call) -> (prefix ^ name, call)) calls

let tables =
  [
    ("parts of arrays", parts "Weft.Array." parts_of_arrays);
    ("parts of float arrays", parts "Weft.Floatarray." parts_of_floatarrays);
    ("chunk sizes", named "Weft." chunk_sizes);
    ("sizes", named "Weft." (List.concat_map sizes [ 0; -1; min_int ]));
    ("negative numbers", named "Weft." (List.concat_map negative [ -1; min_int ]));
    ("lengths", named "Weft." lengths_that_differ);
    ("numbers that are too large", named "Weft." too_wide);
    ("times", named "Weft." no_time);
    ("who may not", named "Weft." who_may_not);
  ]

let begins_with_the_name (name, call) =
  match call () with
  | () -> Some (Printf.sprintf "%s: nothing was raised" name)
  | exception Invalid_argument message when String.starts_with ~prefix:(name ^ ": ") message -> None
  | exception exn -> Some (Printf.sprintf "%s: %s" name (Printexc.to_string exn))

(* All at once: what is wrong is seen together. *)
let all_begin_with_the_name calls () =
  let wrong () = List.sort_uniq compare (List.filter_map begins_with_the_name calls) in
  Alcotest.(check (list string)) "outside a pool" [] (wrong ());
  Alcotest.(check (list string)) "inside" [] (Weft.run ~domains:2 wrong)

let tests = List.map (fun (what, calls) -> case what (all_begin_with_the_name calls)) tables
