module type TESTS = functor (_ : Kinds.KIND) -> sig
  val tests : unit Alcotest.test_case list
end

let each (module T : TESTS) =
  let module A = T (Kinds.Avl) in
  let module R = T (Kinds.Red_black) in
  let module P = T (Kinds.Treap) in
  let module U = T (Kinds.Plain) in
  A.tests @ R.tests @ P.tests @ U.tests

let with_large (module T : TESTS) =
  let module L = T (Kinds.Large) in
  each (module T) @ L.tests

let () =
  Alcotest.run "trees"
    [
      ("sequential", each (module Sequential.Make));
      ("warming", Warming.tests);
      ("batches", with_large (module Batches.Make));
      ("failing", with_large (module Failing.Make));
      ("concurrent", each (module Concurrent.Make));
      ("ascending", Ascending.tests @ with_large (module Ascending.Make));
    ]
