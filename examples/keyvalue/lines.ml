type line = Line of string | Too_long

type t = {
  socket : Unix.file_descr;
  idle : float option;
  patience : float option;
  chunk : Bytes.t;
  pending : Buffer.t;  (** a line that has not ended yet *)
  mutable too_long : bool;  (** that line is too long: its rest is dropped *)
}

let limit = 65_536

let of_socket ?idle ?patience socket =
  { socket; idle; patience; chunk = Bytes.create 4096; pending = Buffer.create 80; too_long = false }

let add t from length =
  (* One byte more than allowed: it may be a carriage return. *)
  if Buffer.length t.pending + length > limit + 1 then t.too_long <- true;
  if t.too_long then Buffer.clear t.pending else Buffer.add_subbytes t.pending t.chunk from length

let without_return s =
  let n = String.length s in
  if n > 0 && s.[n - 1] = '\r' then String.sub s 0 (n - 1) else s

let end_line t =
  let line = without_return (Buffer.contents t.pending) in
  let too_long = t.too_long || String.length line > limit in
  Buffer.clear t.pending;
  t.too_long <- false;
  if too_long then Too_long else Line line

let rec split t from until lines =
  match Bytes.index_from_opt t.chunk from '\n' with
  | Some at when at < until ->
      add t from (at - from);
      let line = end_line t in
      split t (at + 1) until (line :: lines)
  | _ ->
      add t from (until - from);
      List.rev lines

let read t =
  match Weft_unix.read ?timeout:t.idle t.socket t.chunk 0 (Bytes.length t.chunk) with
  | 0 -> None
  | n -> Some (split t 0 n [])

let write t text = if text <> "" then Weft_unix.write_string ?timeout:t.patience t.socket text
