(** Stands for the searches of known cost, which are not made here: see {!Short_loop}. *)

val first :
  unit ->
  alone:bool ->
  unit ->
  int ->
  look:(int -> int -> 'a option) ->
  by_loop:(int -> 'a option) ->
  int ->
  int ->
  'a option

val any :
  unit ->
  alone:bool ->
  unit ->
  int ->
  look:(int -> int -> 'a option) ->
  by_loop:(Early_exit.t -> int -> 'a option) ->
  int ->
  int ->
  'a option

val deferred :
  unit ->
  unit ->
  int ->
  in_order:bool ->
  look:(int -> int -> 'a option) ->
  by_loop:(int -> 'a option) ->
  int ->
  int ->
  'a option

val learning : unit -> int -> start:int -> finish:int -> (unit -> 'a option) -> 'a option
