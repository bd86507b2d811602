val cases : string * unit Alcotest.test_case list
val outside : string * unit Alcotest.test_case list
