module Make (_ : Kinds.KIND) : sig
  val tests : unit Alcotest.test_case list
end

val tests : unit Alcotest.test_case list
