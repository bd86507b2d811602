val cases : string * unit Alcotest.test_case list
