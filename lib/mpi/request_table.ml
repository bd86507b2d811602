open Pending

type table = {
  mutable entries : Pending.t array;
  mutable requests : int array; (* the same, for MPI *)
  mutable count : int;
  mutable completed : int array; (* what {!Raw.poll} writes *)
}

let table = { entries = [||]; requests = [||]; count = 0; completed = [||] }

let grow p =
  let size = Int.max 16 (2 * table.count) in
  let entries = Array.make size p and requests = Array.make size 0 in
  Array.blit table.entries 0 entries 0 table.count;
  Array.blit table.requests 0 requests 0 table.count;
  table.entries <- entries;
  table.requests <- requests;
  table.completed <- Array.make (size * (1 + Raw.status_words)) 0

let watch p =
  if table.count = Array.length table.entries then grow p;
  table.entries.(table.count) <- p;
  table.requests.(table.count) <- (p.request :> int);
  table.count <- table.count + 1

let remove i =
  let last = table.count - 1 in
  table.entries.(i) <- table.entries.(last);
  table.requests.(i) <- table.requests.(last);
  table.entries.(last) <- nothing;
  table.count <- last

(* [n] have completed. Their indices are not in order: removing goes from the last entry down. *)
let settle_completed n =
  let width = 1 + Raw.status_words in
  let take k = (table.completed.(k * width), Array.sub table.completed ((k * width) + 1) Raw.status_words) in
  let done_ = List.sort (fun (i, _) (j, _) -> Int.compare j i) (List.init n take) in
  let settle_one (i, status) =
    let p = table.entries.(i) in
    remove i;
    Array.blit status 0 p.status 0 Raw.status_words;
    settle_by_status p
  in
  List.iter settle_one done_

let fail_all code =
  for i = table.count - 1 downto 0 do
    let p = table.entries.(i) in
    remove i;
    settle_failed p code
  done

(* Whether something happened. *)
let look times =
  let n = Raw.poll table.requests table.count table.completed times in
  if n >= 0 then settle_completed n else fail_all (-1 - n);
  n <> 0

let is_empty () = table.count = 0
let[@inline never] length () = table.count
