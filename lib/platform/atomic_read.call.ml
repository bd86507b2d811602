external get : int array -> (int[@untagged]) -> int = "weft_atomic_words_get_boxed" "weft_atomic_words_get"
[@@noalloc]
