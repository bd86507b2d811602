(* A slot of [table] is 0 (free: the search ends here), or -1 (forgotten: the search goes on), or has a row
   in its lower bits and a part of the row's hash in its upper bits, so that the search hardly ever reads a
   wrong row. *)
type t = {
  width : int;
  mutable data : int array;
  mutable limit : int;
  mutable table : int array;
  mutable bits : int;
  mutable taken : int;  (** slots that are not free *)
}

let row_bits = 40
let row_mask = (1 lsl row_bits) - 1
let[@inline] row_of entry = entry land row_mask

(* The upper bits of a hash choose the slot, the lower ones mark the entry; the sign stays free. *)
let[@inline] tag hash = (hash lsl row_bits) land max_int
let first = 1
let none = 0
let forgotten = -1

let create width =
  {
    width;
    data = Array.make (8 * (width + 1)) 0;
    limit = first;
    table = Array.make (1 lsl Hash.first_bits) 0;
    bits = Hash.first_bits;
    taken = 0;
  }

let width t = t.width
let stride t = t.width + 1
let data t = t.data
let limit t = t.limit
let status t row = t.data.(row - 1)
let set_status t row status = t.data.(row - 1) <- status

let rec same data row a at n =
  n = 0 || (Array.unsafe_get data row = Array.unsafe_get a at && same data (row + 1) a (at + 1) (n - 1))

(* The slot of the row, or the free one where the search for it ends. *)
let rec slot_of t a at tag slot =
  let entry = Array.unsafe_get t.table slot in
  if entry = 0 || (entry land lnot row_mask = tag && entry > 0 && same t.data (row_of entry) a at t.width)
  then slot
  else slot_of t a at tag ((slot + 1) land (Array.length t.table - 1))

let check a at t =
  if at < 0 || at + t.width > Array.length a then invalid_arg "Weft_datalog.Rows: no such row"

let slot_of_hash t a at hash = slot_of t a at (tag hash) (Hash.slot hash ~bits:t.bits)

let find t a at =
  check a at t;
  let slot = slot_of_hash t a at (Hash.of_key a at t.width) in
  row_of (Array.unsafe_get t.table slot)

(* Frees the slots of forgotten rows, too. The new table replaces the old one only at the end. *)
let rehash t bits =
  let table = Array.make (1 lsl bits) 0 in
  let mask = Array.length table - 1 in
  let taken = ref 0 in
  let put entry =
    let slot = ref (Hash.slot (Hash.of_key t.data (row_of entry) t.width) ~bits) in
    while table.(!slot) <> 0 do
      slot := (!slot + 1) land mask
    done;
    table.(!slot) <- entry;
    incr taken
  in
  Array.iter (fun entry -> if entry > 0 then put entry) t.table;
  t.table <- table;
  t.bits <- bits;
  t.taken <- !taken

(* At most three quarters of the slots are taken. *)
let is_full t = 4 * (t.taken + 1) > 3 * Array.length t.table

let make_room t =
  let live = Array.fold_left (fun n entry -> if entry > 0 then n + 1 else n) 0 t.table in
  rehash t (if 2 * live >= Array.length t.table then t.bits + 1 else t.bits)

let write t a at status =
  let row = t.limit in
  if row + t.width > Array.length t.data then begin
    let larger = Array.make (2 * (row + t.width)) 0 in
    Array.blit t.data 0 larger 0 (row - 1);
    t.data <- larger
  end;
  t.data.(row - 1) <- status;
  Array.blit a at t.data row t.width;
  row

let put t slot hash row =
  if t.table.(slot) = 0 then t.taken <- t.taken + 1;
  t.table.(slot) <- tag hash lor row;
  t.limit <- row + t.width + 1

let append t a at ~status =
  check a at t;
  if is_full t then make_room t;
  let row = write t a at status in
  let hash = Hash.of_key a at t.width in
  put t (slot_of_hash t a at hash) hash row;
  row

let add t a at ~status =
  check a at t;
  if is_full t then make_room t;
  let hash = Hash.of_key a at t.width in
  let slot = slot_of_hash t a at hash in
  t.table.(slot) = 0
  && begin
       put t slot hash (write t a at status);
       true
     end

let forget t row =
  let slot = slot_of_hash t t.data row (Hash.of_key t.data row t.width) in
  if row_of t.table.(slot) = row then t.table.(slot) <- forgotten

let clear t =
  t.limit <- first;
  t.table <- Array.make (1 lsl Hash.first_bits) 0;
  t.bits <- Hash.first_bits;
  t.taken <- 0

let keep t p =
  let kept = create t.width in
  let rec go row =
    if row < t.limit then begin
      let status = t.data.(row - 1) in
      if p status then ignore (add kept t.data row ~status : bool);
      go (row + t.width + 1)
    end
  in
  go first;
  t.data <- kept.data;
  t.limit <- kept.limit;
  t.table <- kept.table;
  t.bits <- kept.bits;
  t.taken <- kept.taken
