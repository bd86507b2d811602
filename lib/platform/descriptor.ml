type outcome = Done of int | Would_wait | May_wait

external read_stub : Unix.file_descr -> bytes -> int -> int -> int = "weft_descriptor_read" [@@noalloc]
external write_stub : Unix.file_descr -> bytes -> int -> int -> int = "weft_descriptor_write" [@@noalloc]
external write_waiting_stub : Unix.file_descr -> bytes -> int -> int -> int = "weft_descriptor_write_waiting"
external is_ready_stub : Unix.file_descr -> bool -> int = "weft_descriptor_is_ready" [@@noalloc]
external of_process_stub : int -> int = "weft_descriptor_of_process" [@@noalloc]
external fail_stub : int -> string -> 'a = "weft_descriptor_fail"
external descriptor : int -> Unix.file_descr = "%identity"

let fail ~error call = fail_stub error call

let check who bytes pos len =
  if pos < 0 || len < 0 || pos > Bytes.length bytes - len then
    Printf.ksprintf invalid_arg "%s: %d bytes from %d on are none of a buffer of %d" who len pos
      (Bytes.length bytes)

(* The codes of the stubs; others are error numbers, negated, beyond these. *)
let outcome call n =
  if n >= 0 then Done n
  else if n = -1 then Would_wait
  else if n = -2 then May_wait
  else fail ~error:(-n - 2) call

let read fd bytes pos len = if len = 0 then Done 0 else outcome "read" (read_stub fd bytes pos len)
let write fd bytes pos len = if len = 0 then Done 0 else outcome "write" (write_stub fd bytes pos len)

let write_waiting fd bytes pos len =
  let n = write_waiting_stub fd bytes pos len in
  if n < 0 then fail ~error:(-n) "write" else n

let is_ready ~call fd ~writes =
  let n = is_ready_stub fd writes in
  if n < 0 then fail ~error:(-n) call else n > 0

let without_process_descriptors = Atomic.make false

let of_process pid =
  if Atomic.get without_process_descriptors then None
  else match of_process_stub pid with -1 -> None | fd -> Some (descriptor fd)
