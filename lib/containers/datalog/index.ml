type t = {
  columns : int array;
  width : int;  (** how many columns *)
  mutable table : int array;  (** numbers of buckets, plus one; 0 if free *)
  mutable bits : int;
  mutable keys : int array;  (** the key of bucket [b] begins at [b * width] *)
  mutable buckets : int array array;
  mutable count : int;  (** how many buckets there are *)
  mutable entered : int;  (** the index has the rows below this one *)
  mutable swept : int array;  (** for each bucket, the last sweep that went through it *)
  mutable sweeps : int;
  scratch : int array;
}

let create columns =
  let width = Array.length columns in
  {
    columns;
    width;
    table = Array.make (1 lsl Hash.first_bits) 0;
    bits = Hash.first_bits;
    keys = [||];
    buckets = [||];
    count = 0;
    entered = Rows.first;
    swept = [||];
    sweeps = 0;
    scratch = Array.make width 0;
  }

let columns t = t.columns
let entered t = t.entered

let rec same keys from key i n =
  i = n || (Array.unsafe_get keys (from + i) = Array.unsafe_get key i && same keys from key (i + 1) n)

let rec slot_of t key slot =
  let b = Array.unsafe_get t.table slot in
  if b = 0 || same t.keys ((b - 1) * t.width) key 0 t.width then slot
  else slot_of t key ((slot + 1) land (Array.length t.table - 1))

let first_slot t key = Hash.slot (Hash.of_key key 0 t.width) ~bits:t.bits
let first = 1
let empty = [| first |]

(* The number of the key's bucket, or -1. *)
let number t key = t.table.(slot_of t key (first_slot t key)) - 1

let find t key =
  if Array.length key < t.width then invalid_arg "Weft_datalog.Index.find: short key";
  let b = number t key in
  if b < 0 then empty else t.buckets.(b)

let rehash t bits =
  let table = Array.make (1 lsl bits) 0 in
  let mask = Array.length table - 1 in
  for b = 0 to t.count - 1 do
    let slot = ref (Hash.slot (Hash.of_key t.keys (b * t.width) t.width) ~bits) in
    while table.(!slot) <> 0 do
      slot := (!slot + 1) land mask
    done;
    table.(!slot) <- b + 1
  done;
  t.table <- table;
  t.bits <- bits

let longer a n filler =
  if n <= Array.length a then a
  else begin
    let b = Array.make (Int.max n (Int.max 8 (2 * Array.length a))) filler in
    Array.blit a 0 b 0 (Array.length a);
    b
  end

let new_bucket t key =
  if 2 * (t.count + 1) > Array.length t.table then rehash t (t.bits + 1);
  let b = t.count in
  t.keys <- longer t.keys ((b + 1) * t.width) 0;
  t.buckets <- longer t.buckets (b + 1) empty;
  t.swept <- longer t.swept (b + 1) 0;
  Array.blit key 0 t.keys (b * t.width) t.width;
  t.buckets.(b) <- Array.make 4 first;
  t.table.(slot_of t key (first_slot t key)) <- b + 1;
  t.count <- b + 1;
  b

let load_key t data row =
  for i = 0 to t.width - 1 do
    t.scratch.(i) <- data.(row + t.columns.(i))
  done

let enter t data row width =
  load_key t data row;
  let b = number t t.scratch in
  let b = if b < 0 then new_bucket t t.scratch else b in
  let at = t.buckets.(b).(0) in
  let bucket = longer t.buckets.(b) (at + width + 1) 0 in
  bucket.(at) <- row;
  for i = 0 to width - 1 do
    bucket.(at + 1 + i) <- data.(row + i)
  done;
  bucket.(0) <- at + width + 1;
  if bucket != t.buckets.(b) then t.buckets.(b) <- bucket

let extend t rows ~skip =
  let data = Rows.data rows in
  while t.entered < Rows.limit rows do
    if not (skip (Rows.status rows t.entered)) then enter t data t.entered (Rows.width rows);
    t.entered <- t.entered + Rows.stride rows
  done

let sweep bucket rows ~gone =
  let stride = Rows.stride rows in
  let kept = ref first and at = ref first in
  while !at < bucket.(0) do
    if not (gone (Rows.status rows bucket.(!at))) then begin
      Array.blit bucket !at bucket !kept stride;
      kept := !kept + stride
    end;
    at := !at + stride
  done;
  bucket.(0) <- !kept

let remove t rows which ~gone =
  t.sweeps <- t.sweeps + 1;
  for i = 0 to Vector.length which - 1 do
    load_key t (Rows.data rows) (Vector.get which i);
    let b = number t t.scratch in
    if b >= 0 && t.swept.(b) < t.sweeps then begin
      t.swept.(b) <- t.sweeps;
      sweep t.buckets.(b) rows ~gone
    end
  done

let rebuild t rows ~skip =
  t.table <- Array.make (1 lsl Hash.first_bits) 0;
  t.bits <- Hash.first_bits;
  t.count <- 0;
  t.entered <- Rows.first;
  extend t rows ~skip
