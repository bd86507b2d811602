open Support

(* A kind of elements: made from a number, and back. *)
type 'a kind = { of_int : int -> 'a; to_int : 'a -> int }

let ints = { of_int = Fun.id; to_int = Fun.id }
let floats = { of_int = (fun i -> float i /. 4.); to_int = (fun x -> int_of_float (x *. 4.)) }
let strings = { of_int = string_of_int; to_int = int_of_string }

(* Immediate values and blocks in one array, as of a variant type. *)
let mixed =
  {
    of_int = (fun i -> if i land 1 = 0 then Obj.repr i else Obj.repr (string_of_int i));
    to_int = (fun x -> if Obj.is_int x then Obj.obj x else int_of_string (Obj.obj x));
  }

(* The same elements in the same representation: an array of floats must be a flat one. *)
let same expected got = Obj.tag (Obj.repr expected) = Obj.tag (Obj.repr got) && compare expected got = 0

type property = { holds : 'a. 'a kind -> Random.State.t -> 'a array -> bool }

(* Lengths that matter: none, fewer than workers, the lengths up to which functions use no loop, many
   blocks. *)
let lengths =
  QCheck.Gen.(
    frequency
      [
        (3, oneofl [ 0; 1; 2; 3; 4; 7 ]);
        (3, int_bound 70);
        (3, int_bound 1000);
        (1, int_range 4090 4102);
        (1, int_bound 5000);
      ])

let array_of kind rand n = Array.init n (fun _ -> kind.of_int (Random.State.int rand 100))

(* With a tiny minor heap collections take most of the time. *)
let fewer count = Support.tries (if Support.is_tiny then (count + 1) / 2 else count)

(* Each call tries other cases, and each run of the test the same ones. *)
let calls = Atomic.make 0

let check count lengths name property =
  let count = fewer count in
  let arbitrary =
    QCheck.make ~print:QCheck.Print.(pair int int) QCheck.Gen.(pair lengths (int_bound 1_000_000))
  in
  let property (n, seed) = property seed (Random.State.make [| seed |]) n in
  QCheck.Test.check_exn
    ~rand:(Random.State.make [| 7; Atomic.fetch_and_add calls 1 |])
    (QCheck.Test.make ~count ~name arbitrary property)

let check_property ?(count = 10) ?(lengths = lengths) name { holds } =
  check count lengths name @@ fun seed rand n ->
  let on kind = holds kind rand (array_of kind rand n) in
  match seed land 3 with 0 -> on ints | 1 -> on floats | 2 -> on strings | _ -> on mixed

let check_floats ?(count = 10) ?(lengths = lengths) name holds =
  check count lengths name @@ fun _ rand n -> holds rand (array_of floats rand n)

(* In pools of every size, and from outside. *)
let everywhere test =
  in_each_size test;
  test ()

(* A random predicate, true for about [1 / k] of the elements; often for none or for all. *)
let predicate kind rand =
  match Random.State.int rand 6 with
  | 0 -> fun _ -> true
  | 1 -> fun _ -> false
  | k ->
      let r = Random.State.int rand k in
      fun x -> kind.to_int x mod k = r

let range rand n =
  let pos = Random.State.int rand (n + 1) in
  (pos, Random.State.int rand (n - pos + 1))

let noise rand n =
  Array.init n (fun _ -> Random.State.float rand 1. *. (10. ** float (Random.State.int rand 12)))
