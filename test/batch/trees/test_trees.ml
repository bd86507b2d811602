module type TESTS = functor (_ : Kinds.KIND) -> sig
  val tests : unit Alcotest.test_case list
end

let each (module T : TESTS) =
  let module A = T (Kinds.Avl) in
  let module R = T (Kinds.Red_black) in
  let module P = T (Kinds.Treap) in
  let module U = T (Kinds.Plain) in
  A.tests @ R.tests @ P.tests @ U.tests

let () =
  Alcotest.run "trees"
    [
      ("sequential", each (module Sequential.Make));
      ("batches", each (module Batches.Make));
      ("failing", each (module Failing.Make));
      ("concurrent", each (module Concurrent.Make));
    ]
