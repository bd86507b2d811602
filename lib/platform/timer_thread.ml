(* The layout is that of struct alarm in timer_thread_stubs.c. Mutable, so that the compiler reads the
   fields anew each time. *)
type t = { mutable due : bool; mutable armed : int } [@@warning "-69"]

external now : unit -> int = "weft_now" [@@noalloc]
external set_virtual : int -> unit = "weft_set_virtual_time" [@@noalloc]
external start_stub : unit -> int = "weft_alarm_start" [@@noalloc]
external create : unit -> t = "weft_alarm_make"
external free : t -> unit = "weft_alarm_free" [@@noalloc]
external watch : t -> deque:'a Deque_memory.t -> parker:Parker.t -> unit = "weft_alarm_watch"
external arm : t -> int -> unit = "weft_alarm_arm" [@@noalloc]
external take : t -> bool = "weft_alarm_take" [@@noalloc]

let never = max_int

let start () =
  match start_stub () with
  | 0 -> ()
  | error ->
      raise (Sys_error (Printf.sprintf "Weft: no thread can be started to watch the clock (error %d)" error))

let[@inline] set a time = if time < a.armed then arm a time
let[@inline] is_due a = a.due
let[@inline] take_due a = a.due && take a
