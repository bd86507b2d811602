val step : int
val call : int
val ensure : int -> unit
