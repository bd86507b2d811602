open Support
open Endings
module Cancel = Weft.Cancel
module Chan = Weft.Chan
module Pool = Weft.Pool
module Promise = Weft.Promise
module Scope = Weft.Scope

let upto n body = Weft.parallel_for ~start:1 ~finish:n ~body ()
let count f n = Weft.parallel_for_reduce ~start:1 ~finish:n ~body:f ( + ) 0

(* --- results that are no longer needed --- *)

let siblings_end () =
  let fail () = raise (Planned 7) in
  let first_sleeps () =
    let first = Atomic.make true in
    fun _ -> if Atomic.exchange first false then sleep_long () else fail ()
  in
  let ways =
    [
      ("right", fun () -> ignore (Weft.par sleep_long fail));
      ( "left",
        fun () ->
          ignore
            (Weft.par
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())
               sleep_long) );
      ("par3", fun () -> ignore (Weft.par3 sleep_long sleep_long fail));
      ("all", fun () -> ignore (Weft.all [ sleep_long; sleep_long; fail; sleep_long ]));
      ( "deep",
        fun () ->
          ignore
            (Weft.par
               (fun () -> Weft.par sleep_long (fun () -> Weft.par sleep_long sleep_long))
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())) );
      ( "forks",
        fun () ->
          ignore
            (Weft.par
               (fun () -> fib 60)
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())) );
      ( "a loop on the left",
        fun () ->
          ignore
            (Weft.par
               (fun () -> upto max_int ignore)
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())) );
      ( "a loop on the right",
        fun () ->
          ignore
            (Weft.par
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())
               (fun () -> upto max_int ignore)) );
      ( "a scope on the left",
        fun () ->
          ignore
            (Weft.par
               (fun () -> Scope.run (fun s -> ignore (Scope.async s sleep_long)))
               (fun () ->
                 Weft.sleep 0.002;
                 fail ())) );
    ]
  and ways_of_several =
    [
      ("parallel_for", fun () -> upto 64 (first_sleeps ()));
      ( "reduce",
        fun () ->
          ignore
            (count
               (let f = first_sleeps () in
                fun i ->
                  f i;
                  i)
               64) );
      ("Array.iter", fun () -> Weft.Array.iter (first_sleeps ()) (Array.make 64 0));
      ("List.iter", fun () -> Weft.List.iter (first_sleeps ()) (List.init 64 Fun.id));
    ]
  in
  on_each_size @@ fun pool ->
  let ways = if Pool.domains pool = 1 then ways else ways @ ways_of_several in
  List.iter
    (fun (what, f) ->
      let inside = inside () in
      fails_with what (Planned 7) (fun () ->
          returns what (fun () -> Pool.run pool (fun () -> visit inside f)));
      nobody_inside what inside)
    ways;
  if Pool.domains pool > 1 then begin
    let first = Atomic.make true in
    let body i =
      if Atomic.exchange first false then (
        sleep_long ();
        None)
      else Some i
    in
    check_bool "an answer" true
      (returns "find" (fun () ->
           Pool.run pool (fun () -> Weft.parallel_find ~start:1 ~finish:64 ~body ()) <> None))
  end

(* --- stress --- *)

let at_every_point () =
  (* A program that counts its steps; the token is cancelled at step [n]. *)
  let reached = Atomic.make 0 and stop_at = ref 0 and token = ref (Cancel.create ()) in
  let point () = if Atomic.fetch_and_add reached 1 = !stop_at then Cancel.cancel ~reason:"injected" !token in
  let guard = inside () in
  let rec tree n =
    point ();
    if n = 0 then 1
    else
      let a, b =
        Weft.par
          (fun () -> visit guard (fun () -> tree (n - 1)))
          (fun () -> visit guard (fun () -> tree (n - 1)))
      in
      point ();
      a + b
  in
  let program () =
    let a = tree 3 in
    let b =
      count
        (fun i ->
          visit guard (fun () ->
              point ();
              i))
        10
    in
    let c =
      Scope.run (fun s ->
          let chan = Chan.bounded 1 in
          let sender =
            Scope.async s (fun () ->
                visit guard (fun () ->
                    for i = 1 to 5 do
                      point ();
                      Chan.send chan i
                    done;
                    Chan.close chan;
                    10))
          in
          let sum = ref 0 in
          Chan.iter
            (fun i ->
              point ();
              sum := !sum + i)
            chan;
          point ();
          !sum + Weft.await sender)
    in
    let d =
      match
        Cancel.with_timeout 0.0005 (fun () ->
            visit guard (fun () ->
                point ();
                sleep_long ();
                0))
      with
      | d -> d
      | exception Cancel.Timeout -> 100
    in
    let e =
      Cancel.shield (fun () ->
          visit guard (fun () ->
              point ();
              Weft.yield ();
              point ();
              tree 1))
    in
    let sorted = [| 3; 1; 2 |] in
    Weft.Array.sort
      (fun x y ->
        point ();
        compare x y)
      sorted;
    let f =
      Weft.Array.fold_left ( + ) 0
        (Weft.Array.map
           (fun x ->
             point ();
             x)
           sorted)
    in
    Weft.yield ();
    point ();
    a + b + c + d + e + f
  in
  let expected = 8 + 55 + 25 + 100 + 2 + 6 in
  on_each_size @@ fun pool ->
  let rec from n =
    stop_at := n;
    token := Cancel.create ();
    Atomic.set reached 0;
    let what = Printf.sprintf "cancelled at point %d" n in
    (match returns what (fun () -> Pool.run pool (fun () -> Cancel.within !token program)) with
    | total -> check_int what expected total
    | exception Cancel.Cancelled "injected" -> check_bool what true (Cancel.is_cancelled !token));
    nobody_inside what guard;
    let steps = Atomic.get reached in
    Pool.run pool Weft.yield;
    check_int "nothing goes on" steps (Atomic.get reached);
    if Cancel.is_cancelled !token then from (n + 1) else n
  in
  let points = from 0 in
  if points < 50 then Alcotest.failf "only %d points" points

let against_completions () =
  let rounds = tries (if is_tiny then 300 else 1500) in
  Pool.with_pool ~domains:8 @@ fun pool ->
  Pool.run pool @@ fun () ->
  let returned = ref 0 and cancelled = ref 0 in
  let round i =
    let token = Cancel.create () and guard = inside () in
    let p = Promise.create () and c = Chan.bounded 0 in
    let result, () =
      Weft.par
        (fun () ->
          match
            Cancel.within token (fun () ->
                visit guard (fun () ->
                    match i mod 4 with
                    | 0 -> Weft.await p
                    | 1 -> Chan.recv c
                    | 2 ->
                        Scope.run (fun s ->
                            Weft.await (Scope.async s (fun () -> visit guard (fun () -> Weft.await p))))
                    | _ ->
                        fst
                          (Weft.par (fun () -> Weft.await p) (fun () -> visit guard (fun () -> Weft.await p)))))
          with
          | 5 ->
              incr returned;
              true
          | _ -> Alcotest.fail "a wrong value"
          | exception Cancel.Cancelled "now" ->
              incr cancelled;
              false)
        (fun () ->
          let (), () =
            Weft.par
              (fun () ->
                spin (i * 37 mod 3000);
                if i mod 4 = 1 then begin
                  (* Either the message was received, or it is still in the channel. *)
                  match Chan.send ~timeout:0.002 c 5 with
                  | () -> ()
                  | exception Cancel.Timeout -> ()
                end
                else Promise.resolve p 5)
              (fun () ->
                spin (i * 59 mod 3000);
                Cancel.cancel ~reason:"now" token)
          in
          ())
    in
    nobody_inside "afterwards" guard;
    if (not result) && not (Cancel.is_cancelled token) then Alcotest.fail "cancelled by nobody"
  in
  (* The test goes on until both have happened. *)
  let rec from i =
    if i <= rounds || !returned = 0 || !cancelled = 0 then begin
      round i;
      from (i + 1)
    end
  in
  watched (fun () -> Printf.sprintf "%d returned, %d cancelled" !returned !cancelled) (fun () -> from 1)

let from_many_threads () =
  Pool.with_pool ~domains:3 @@ fun pool ->
  let t = Cancel.create () in
  in_threads 6 (fun i ->
      for k = 1 to 50 do
        let token = Cancel.create () and run f = if i < 3 then Pool.run pool f else f () in
        let canceller = Thread.create (fun () -> Cancel.cancel ~reason:"thread" token) () in
        (match
           run (fun () -> Cancel.within token (fun () -> Cancel.within t (fun () -> ignore (fib 12))))
         with
        | () -> ()
        | exception Cancel.Cancelled "thread" -> ());
        Thread.join canceller;
        if k mod 10 = 0 then
          times_out "a time-out" (fun () -> run (fun () -> Cancel.with_timeout 0.001 sleep_long))
      done)

let tests =
  [
    case "what is no longer wanted ends at once" siblings_end;
    case "a request at every point of a program" at_every_point;
    case "requests against completions" against_completions;
    case "requests from many threads" from_many_threads;
  ]
