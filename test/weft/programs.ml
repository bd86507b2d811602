open Support

(* Random programs against what they mean sequentially. *)

type program =
  | Value of int
  | Fail of int
  | Spin of int * program
  | Yield of program
  | Par of program * program
  | Par3 of program * program * program
  | Async of program * program (* start the first, do the second, await the first *)
  | All of program list
  | Map of program
  | Both of program * program
  | Catch of program
  | Run of program
  | Blocking of program

let rec print = function
  | Value n -> string_of_int n
  | Fail n -> Printf.sprintf "fail %d" n
  | Spin (n, p) -> Printf.sprintf "spin %d; %s" n (print p)
  | Yield p -> "yield; " ^ print p
  | Par (p, q) -> Printf.sprintf "par(%s, %s)" (print p) (print q)
  | Par3 (p, q, r) -> Printf.sprintf "par3(%s, %s, %s)" (print p) (print q) (print r)
  | Async (p, q) -> Printf.sprintf "async(%s, %s)" (print p) (print q)
  | All ps -> Printf.sprintf "all[%s]" (String.concat "; " (List.map print ps))
  | Map p -> Printf.sprintf "map(%s)" (print p)
  | Both (p, q) -> Printf.sprintf "both(%s, %s)" (print p) (print q)
  | Catch p -> Printf.sprintf "catch(%s)" (print p)
  | Run p -> Printf.sprintf "run(%s)" (print p)
  | Blocking p -> Printf.sprintf "blocking(%s)" (print p)

(* The sequential meaning. Results that are dropped have no effect. If one side of a fork fails while the
   other runs, the other is stopped, and may fail first or not. Tasks of [async] are not cancelled: the
   leftmost failure counts. *)
let rec meaning =
  let open Outcomes in
  function
  | Value n -> returns n
  | Fail n -> fails n
  | Spin (_, p) | Yield p | Run p | Blocking p -> meaning p
  | Par (p, q) -> map2 (fun a b -> (2 * a) + b) (meaning p) (meaning q)
  | Both (p, q) -> in_turn (fun a b -> (2 * a) + b) (meaning p) (meaning q)
  | Par3 (p, q, r) -> map2 ( + ) (map2 (fun a b -> (3 * a) + (2 * b)) (meaning p) (meaning q)) (meaning r)
  | Async (p, q) -> in_turn ( - ) (meaning q) (meaning p)
  | All ps -> List.fold_left (fun sum p -> map2 (fun sum n -> (sum * 3) + n) sum (meaning p)) (returns 7) ps
  | Map p -> map succ (meaning p)
  | Catch p -> catch (fun n -> n + 1000) (meaning p)

(* If this fiber is cancelled, it awaits its task, so that no task's exception is left unhandled. *)
let await p =
  try Weft.await p
  with Weft.Cancel.Cancelled _ as exn ->
    (match Weft.Cancel.shield (fun () -> Weft.await p) with _ -> () | exception Planned _ -> ());
    raise exn

let rec execute = function
  | Value n -> n
  | Fail n -> raise (Planned n)
  | Spin (n, p) ->
      spin n;
      execute p
  | Yield p ->
      Weft.yield ();
      execute p
  | Par (p, q) ->
      let a, b = Weft.par (fun () -> execute p) (fun () -> execute q) in
      (2 * a) + b
  | Par3 (p, q, r) ->
      let a, b, c = Weft.par3 (fun () -> execute p) (fun () -> execute q) (fun () -> execute r) in
      (3 * a) + (2 * b) + c
  | Async (p, q) -> (
      let a = Weft.async (fun () -> execute p) in
      match execute q with
      | b -> b - await a
      | exception exn ->
          (match Weft.Cancel.shield (fun () -> Weft.await a) with _ -> () | exception Planned _ -> ());
          raise exn)
  | All ps -> List.fold_left (fun sum n -> (sum * 3) + n) 7 (Weft.all (List.map (fun p () -> execute p) ps))
  | Map p -> await (Weft.Promise.map succ (Weft.async (fun () -> execute p)))
  | Both (p, q) ->
      let p = Weft.async (fun () -> execute p) and q = Weft.async (fun () -> execute q) in
      let a, b = await (Weft.Promise.both p q) in
      (2 * a) + b
  | Catch p -> ( try execute p with Planned n -> n + 1000)
  | Run p -> Weft.run (fun () -> execute p)
  | Blocking p -> Weft.blocking (fun () -> execute p)

let program =
  let open QCheck.Gen in
  let leaf = frequency [ (8, map (fun n -> Value n) nat); (1, map (fun n -> Fail n) nat) ] in
  fix
    (fun self size ->
      if size <= 1 then leaf
      else
        let half = self (size / 2) and third = self (size / 3) and smaller = self (size - 1) in
        frequency
          [
            (1, leaf);
            (1, map2 (fun n p -> Spin (n, p)) (int_bound 3000) smaller);
            (1, map (fun p -> Yield p) smaller);
            (6, map2 (fun p q -> Par (p, q)) half half);
            (1, map3 (fun p q r -> Par3 (p, q, r)) third third third);
            (3, map2 (fun p q -> Async (p, q)) half half);
            (1, map (fun ps -> All ps) (list_size (int_bound 5) (self (size / 5))));
            (1, map (fun p -> Map p) smaller);
            (1, map2 (fun p q -> Both (p, q)) half half);
            (2, map (fun p -> Catch p) smaller);
            (1, map (fun p -> Run p) smaller);
            (1, map (fun p -> Blocking p) smaller);
          ])
    200

let outcome run p = match run p with n -> Ok n | exception Planned n -> Error n

(* Whether [run p] is among the outcomes that [p] may have. *)
let agrees run p =
  match meaning p with
  | meant -> Outcomes.mem (outcome run p) meant
  | exception Outcomes.Too_many ->
      ignore (outcome run p);
      true

let like_sequential () =
  on_each_size @@ fun pool ->
  let property = agrees (fun p -> Weft.Pool.run pool (fun () -> execute p)) in
  let test = QCheck.Test.make ~count:(tries 400) ~name:"programs" (QCheck.make ~print program) property in
  QCheck.Test.check_exn ~rand:(Random.State.make [| 11 |]) test

let many_at_once () =
  (* The same, from several threads into one pool. *)
  on_each_size @@ fun pool ->
  let differing = Atomic.make [] in
  let rec note what =
    let was = Atomic.get differing in
    if not (Atomic.compare_and_set differing was (what :: was)) then note what
  in
  let caller seed () =
    let rand = Random.State.make [| seed |] in
    for _ = 1 to tries 60 do
      let p = QCheck.Gen.generate1 ~rand program in
      match agrees (fun p -> Weft.Pool.run pool (fun () -> execute p)) p with
      | true -> ()
      | false -> note (print p)
      | exception exn -> note (Printexc.to_string exn ^ ": " ^ print p)
    done
  in
  List.iter Thread.join (List.init 4 (fun i -> Thread.create (caller i) ()));
  match Atomic.get differing with [] -> () | what :: _ -> Alcotest.failf "differs: %s" what

let few_are_skipped () =
  (* The oracle knows the exact outcome of most programs, and skips few. *)
  let rand = Random.State.make [| 11 |] in
  let exact = ref 0 and skipped = ref 0 in
  for _ = 1 to 1000 do
    match meaning (QCheck.Gen.generate1 ~rand program) with
    | meant -> if Outcomes.is_exact meant then incr exact
    | exception Outcomes.Too_many -> incr skipped
  done;
  if !skipped > 20 || !exact < 300 then Alcotest.failf "%d of 1000 skipped, %d exact" !skipped !exact

let tests =
  [
    case "random programs mean what they mean sequentially" like_sequential;
    case "random programs from several threads" many_at_once;
    case "the oracle of random programs is sharp" few_are_skipped;
  ]
