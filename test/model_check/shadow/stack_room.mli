val step : int
val call : int
val deep : int
val ensure : int -> unit
