val tests : unit Alcotest.test_case list
