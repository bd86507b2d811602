type t = {
  system : Log_system.t;
  fd : Unix.file_descr;
  seed : Log_format.seed;
  base : int;
  limit : int;
  mutable position : int;  (** of the byte at [start] in [buffer] *)
  mutable number : int;
  mutable buffer : Bytes.t;
  mutable start : int;
  mutable stop : int;
}

type item =
  | Record of { position : int; payload : string; more : bool; synced : int }
  | Mark of { position : int; synced : int }
  | End
  | Bad of string

let chunk = 65536

let make system fd seed ~base ~from ~limit ~number =
  let buffer = Bytes.create (max Log_format.record_header (min chunk (limit - from))) in
  { system; fd; seed; base; limit; position = from; number; buffer; start = 0; stop = 0 }

let position r = r.position
let number r = r.number

(* Reads until there are [n] bytes in the buffer from [start] on. Returns whether there are. *)
let[@inline never] refill r n =
  let had = r.stop - r.start in
  let into = if n > Bytes.length r.buffer then Bytes.create n else r.buffer in
  Bytes.blit r.buffer r.start into 0 had;
  r.buffer <- into;
  r.start <- 0;
  r.stop <- had;
  let wanted = min (Bytes.length into - had) (r.limit - r.position - had) in
  let at = Log_format.offset ~base:r.base (r.position + had) in
  r.stop <- had + Log_system.read_fully r.system r.fd ~at into had wanted;
  r.stop >= n

let[@inline] has r n = r.stop - r.start >= n || (n <= r.limit - r.position && refill r n)

let skip r n =
  r.start <- r.start + n;
  r.position <- r.position + n

let header = Log_format.record_header

let is_zero b at length =
  let rec go i = i = length || (Bytes.get b (at + i) = '\000' && go (i + 1)) in
  go 0

let payload r length =
  let position = r.position and b = r.buffer and at = r.start in
  if Crc32c.extend 0 b (at + header) length <> Log_format.crc b at then
    Bad (Printf.sprintf "the payload of record %d has a wrong checksum" (Log_format.number b at))
  else
    let synced = Log_format.synced b at ~position in
    if Log_format.mark b at then begin
      skip r header;
      Mark { position; synced }
    end
    else begin
      let payload = Bytes.sub_string b (at + header) length and more = Log_format.more b at in
      r.number <- Log_format.number b at + 1;
      skip r (header + length);
      Record { position; payload; more; synced }
    end

let next r =
  if r.position >= r.limit then End
  else if not (has r header) then Bad "a record ends within its header"
  else if not (Log_format.is_record r.seed r.buffer r.start ~position:r.position) then
    if is_zero r.buffer r.start header then Bad "zeros instead of a record"
    else Bad "no header of a record, or one with a wrong checksum"
  else
    let number = Log_format.number r.buffer r.start in
    if r.number <> 0 && number <> r.number then
      Bad (Printf.sprintf "record %d where %d should be" number r.number)
    else
      let length = Log_format.length r.buffer r.start in
      if has r (header + length) then payload r length
      else Bad (Printf.sprintf "record %d ends within its payload" number)
