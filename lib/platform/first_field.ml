external get : 'record -> 'field = "%atomic_load"
external compare_and_set : 'record -> 'field -> 'field -> bool = "%atomic_cas"
external exchange : 'record -> 'field -> 'field = "%atomic_exchange"
