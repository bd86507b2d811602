(** The tests of [weft bench elastic]; the first argument is the program [weft]. *)
