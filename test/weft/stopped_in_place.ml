(* Functions that change an array in place, stopped at one call of the user's function after the other: the array holds its
   elements afterwards, each once. *)

open Support
module A = Weft.Array

(* How call [k] stops the rest. *)
let ways =
  let rec full n = 1 + full (n + Sys.opaque_identity 1) in
  [
    ("exception", fun _ -> raise (Planned 0));
    ("cancellation", fun token -> Weft.Cancel.cancel token);
    ("time-out", fun _ -> raise Weft.Cancel.Timeout);
    ("stack overflow", fun _ -> raise Stack_overflow);
    ("full stack", fun _ -> ignore (full 0 : int));
  ]

let stopped ~calls way work =
  let rec from k step =
    if k <= calls then begin
      let count = Atomic.make 0 and token = Weft.Cancel.create () in
      let at_call () = if Atomic.fetch_and_add count 1 = k then way token in
      (match Weft.Cancel.within token (fun () -> work at_call k) with
      | () | (exception (Planned _ | Weft.Cancel.Cancelled _ | Weft.Cancel.Timeout | Stack_overflow)) -> ());
      from (k + step) step
    end
  in
  from

type kind = Kind : string * (int -> 'a) * ('a -> 'a -> int) -> kind

let key i = i * 7919 mod 101

(* All elements differ; those of one key are equal to the comparison. *)
let kinds =
  [
    Kind ("integers", (fun i -> (key i * 1_000_000) + i), fun x y -> compare (x / 1_000_000) (y / 1_000_000));
    Kind ("floats", (fun i -> float ((key i * 1_000_000) + i)), Float.compare);
    Kind ("pairs", (fun i -> (key i, i)), fun (x, _) (y, _) -> compare x y);
  ]

let sorts ~n ~step () =
  let calls = n * 20 in
  with_small_stacks @@ fun () ->
  List.iter
    (fun domains ->
      Weft.Pool.with_pool ~domains @@ fun pool ->
      Weft.Pool.run pool @@ fun () ->
      List.iter
        (fun (how, way) ->
          List.iter
            (fun (Kind (what, element, cmp)) ->
              let elements = Array.init n element in
              let sorted a = List.sort compare (Array.to_list a) in
              let expected = sorted elements in
              let work at_call k =
                let a = Array.copy elements in
                let check () =
                  if sorted a <> expected then
                    Alcotest.failf "%s, %s at comparison %d, %d domains: elements lost" what how k domains
                in
                Fun.protect ~finally:check (fun () ->
                    A.sort
                      (fun x y ->
                        at_call ();
                        cmp x y)
                      a)
              in
              stopped ~calls way work 0 (if how = "full stack" then calls / 2 else step))
            kinds)
        ways)
    (Testing.Effort.some ~quick:[ 3 ] [ 1; 2; 8 ])

(* Stopped by the other side of a fork, wherever it happens to be: what copies home calls nothing of the user's. *)
let by_siblings name make change () =
  List.iter
    (fun domains ->
      Weft.Pool.with_pool ~domains @@ fun pool ->
      Weft.Pool.run pool @@ fun () ->
      let elements = make () in
      let sorted a =
        let a = Array.copy a in
        Array.sort compare a;
        a
      in
      let expected = sorted elements in
      for k = 0 to 11 do
        let a = Array.copy elements in
        (match
           Weft.par
             (fun () -> change a)
             (fun () ->
               spin (k * k * 5000);
               raise (Planned k))
         with
        | _ -> ()
        | exception Planned _ -> ());
        if sorted a <> expected then Alcotest.failf "%s, %d domains, round %d: elements lost" name domains k
      done)
    (Testing.Effort.some ~quick:[ 3 ] [ 1; 2; 8 ])

let scattered n () = Array.init n (fun i -> i * 7919 mod n)

let tests =
  [
    case "a sort stopped at any comparison loses no element" (sorts ~n:13 ~step:1);
    case "nor a longer one" (sorts ~n:3000 ~step:9973);
    case "nor a sort of integers that a sibling stops"
      (by_siblings "sort" (scattered 30_011) (A.sort (fun (x : int) y -> compare x y)));
    case "nor a sort of blocks"
      (by_siblings "sort"
         (fun () -> Array.map (fun x -> (x, x)) (scattered 30_011 ()))
         (A.sort (fun (x, _) (y, _) -> compare (x : int) y)));
    case "nor a shuffle that a sibling stops"
      (by_siblings "shuffle" (scattered 30_011) (fun a -> A.shuffle (Weft.Random.make 5) a));
  ]
