(** What [Weft.Array] does by key, documented there. *)

val group_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> key:('a -> 'k) -> 'a array -> ('k * 'a array) array

val group_by_key : ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('k * 'v) array -> ('k * 'v array) array

val reduce_by_key :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('v -> 'v -> 'v) -> ('k * 'v) array -> ('k * 'v) array

val histogram_by_key :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> key:('a -> 'k) -> 'a array -> ('k * int) array

val remove_duplicates : ?hash:('a -> int) -> ?equal:('a -> 'a -> bool) -> 'a array -> 'a array
