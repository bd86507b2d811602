type found = { stop : int; number : int; synced : int; marked : bool; bad : (int * string) option }

(* Whether a header behind [bad] says that [bad] had been synced. [number] is the number that the record at
   [bad] should have. *)
let proves_synced system fd seed (segment : Log_format.segment) ~size ~bad ~number =
  let header = Log_format.record_header in
  let at = Log_format.offset ~base:segment.base bad in
  (* A part at a time: a file may be said to be longer than the memory. Parts overlap, so each header lies in
     one. *)
  let part = Bytes.create (max 0 (min (size - at) (1 lsl 20))) in
  let rec search_from start =
    let length =
      Log_system.read_fully system fd ~at:(at + start) part 0 (min (Bytes.length part) (size - at - start))
    in
    let proof i =
      (* The number comes first: it is cheap to read, and is nearly always wrong. *)
      let n = Log_format.number part i and from_bad = start + i in
      n >= number
      && n - number <= from_bad / header
      && Log_format.is_record seed part i ~position:(bad + from_bad)
      && Log_format.synced part i ~position:(bad + from_bad) > bad
    in
    let rec search i = i + header <= length && (proof i || search (i + 1)) in
    let next = start + length - header + 1 in
    length >= header && (search 0 || (next > start && next + header <= size - at && search_from next))
  in
  search_from 1

let scan system fd ~file seed (segment : Log_format.segment) ~size ~synced =
  let base = segment.base in
  let limit = base + size - Log_format.segment_header in
  let r = Log_reader.make system fd seed ~base ~from:base ~limit ~number:segment.first_number in
  let rec go found ~in_group =
    match Log_reader.next r with
    | Record { more = true; _ } -> go found ~in_group:true
    | Record { synced; _ } -> whole found ~synced ~marked:false
    | Mark { synced; _ } -> whole found ~synced ~marked:true
    | Bad reason -> bad found reason
    | End when in_group -> { found with bad = Some (limit, "the last records are an incomplete group") }
    | End -> found
  and whole found ~synced ~marked =
    let synced = max synced found.synced in
    go
      { found with stop = Log_reader.position r; number = Log_reader.number r; synced; marked }
      ~in_group:false
  and bad found reason =
    let position = Log_reader.position r in
    if
      position < synced
      || proves_synced system fd seed segment ~size ~bad:position ~number:(Log_reader.number r)
    then Log_error.damaged file (Log_format.offset ~base position) reason
    else { found with bad = Some (position, reason) }
  in
  go { stop = base; number = segment.first_number; synced = base; marked = true; bad = None } ~in_group:false
