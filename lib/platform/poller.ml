type wait = int
type taken = Nothing | Ready of wait | Closed of wait

external add_stub : Unix.file_descr -> bool -> Timer_thread.t -> int = "weft_poller_add" [@@noalloc]
external add_child_stub : int -> Timer_thread.t -> int = "weft_poller_add_child" [@@noalloc]
external remove : wait -> unit = "weft_poller_remove" [@@noalloc]
external take : unit -> int = "weft_poller_take" [@@noalloc]
external end_waits : Unix.file_descr -> unit = "weft_poller_end_waits"
external runs : unit -> bool = "weft_poller_runs" [@@noalloc]
external waits : unit -> int = "weft_poller_count" [@@noalloc]

let added wait = if wait < 0 then Descriptor.fail ~error:(-wait) "poll" else wait
let add fd ~writes ~alarm = added (add_stub fd writes alarm)
let add_child pid ~alarm = added (add_child_stub pid alarm)

let take_ready () =
  match take () with
  | -1 -> Nothing
  | taken when taken land 1 = 0 -> Ready (taken lsr 1)
  | taken -> Closed (taken lsr 1)
