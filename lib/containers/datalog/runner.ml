type t = { width : unit -> int; each : int -> (int -> unit) -> unit }

let one_by_one n f =
  for i = 0 to n - 1 do
    f i
  done

let sequential = { width = (fun () -> 1); each = one_by_one }
