type t = {
  name : string;
  rows : Rows.t;
  mutable indexes : Index.t list;
  mutable mark : int;
  mutable old : int;
  mutable fresh : int;
  doubtful : Vector.t;
  fallen : Vector.t;
  mutable dead : int;
}

let create name width =
  {
    name;
    rows = Rows.create width;
    indexes = [];
    mark = Rows.first;
    old = Rows.first;
    fresh = Rows.first;
    doubtful = Vector.create ();
    fallen = Vector.create ();
    dead = 0;
  }

(* --- status: the rank, and in the last bit whether it is asserted --- *)

let status ~rank ~asserted = (rank lsl 1) lor Bool.to_int asserted
let[@inline] rank status = status lsr 1
let is_asserted status = status land 1 = 1
let gone = (max_int lsr 1) - 1
let all = gone + 1
let status_gone = status ~rank:gone ~asserted:false
let status_purged = status ~rank:all ~asserted:false
let is_gone status = rank status >= gone
let is_purged status = rank status >= all

(* --- indexes --- *)

let extend t index = Index.extend index t.rows ~skip:is_purged
let rec same (a : int array) (b : int array) i = i = Array.length a || (a.(i) = b.(i) && same a b (i + 1))

let find_index t columns =
  let fits index =
    let theirs = Index.columns index in
    Array.length theirs = Array.length columns && same theirs columns 0
  in
  List.find_opt fits t.indexes

let index t columns =
  match find_index t columns with
  | Some index -> index
  | None ->
      let index = Index.create columns in
      extend t index;
      t.indexes <- index :: t.indexes;
      index

(* --- changes --- *)

let has_changed t = t.mark < Rows.limit t.rows || Vector.length t.doubtful > 0 || Vector.length t.fallen > 0

let end_change t =
  let limit = Rows.limit t.rows in
  t.mark <- limit;
  t.old <- limit;
  t.fresh <- limit;
  Vector.clear t.doubtful;
  Vector.clear t.fallen

let begin_round t =
  t.old <- t.fresh;
  t.fresh <- Rows.limit t.rows

let standing t a at =
  let row = Rows.find t.rows a at in
  if row <> Rows.none && is_gone (Rows.status t.rows row) then Rows.none else row

let add t a at ~rank =
  let status = status ~rank ~asserted:false in
  let row = Rows.find t.rows a at in
  if row = Rows.none then Rows.add t.rows a at ~status
  else
    is_gone (Rows.status t.rows row)
    && begin
         ignore (Rows.append t.rows a at ~status : int);
         true
       end

let unindexed t =
  let behind index = (Rows.limit t.rows - Index.entered index) / Rows.stride t.rows in
  List.fold_left (fun n index -> Int.max n (behind index)) 0 t.indexes

let sync t = List.iter (fun index -> extend t index) t.indexes

let fell t row =
  Vector.push t.fallen row;
  Rows.set_status t.rows row status_gone

let compact t =
  Rows.keep t.rows (fun status -> not (is_purged status));
  List.iter (fun index -> Index.rebuild index t.rows ~skip:is_purged) t.indexes;
  t.dead <- 0

let purge t =
  let n = Vector.length t.fallen in
  if n > 0 then begin
    for i = 0 to n - 1 do
      let row = Vector.get t.fallen i in
      Rows.forget t.rows row;
      Rows.set_status t.rows row status_purged
    done;
    List.iter (fun index -> Index.remove index t.rows t.fallen ~gone:is_purged) t.indexes;
    Vector.clear t.fallen;
    t.dead <- t.dead + n;
    if t.dead > 1000 && 2 * t.dead * Rows.stride t.rows > Rows.limit t.rows then compact t
  end

let reset_to_asserted t =
  Rows.keep t.rows is_asserted;
  List.iter (fun index -> Index.rebuild index t.rows ~skip:is_purged) t.indexes;
  t.dead <- 0;
  Vector.clear t.fallen;
  t.mark <- Rows.first;
  t.old <- Rows.first;
  t.fresh <- Rows.first

let length t = ((Rows.limit t.rows - Rows.first) / Rows.stride t.rows) - t.dead

let iter f t =
  let row = ref Rows.first in
  while !row < Rows.limit t.rows do
    if not (is_gone (Rows.status t.rows !row)) then f !row;
    row := !row + Rows.stride t.rows
  done

let check t =
  let fail format = Printf.ksprintf (fun s -> failwith (t.name ^ ": " ^ s)) format in
  let data = Rows.data t.rows and count = ref 0 in
  let row_is_found row =
    incr count;
    if Rows.find t.rows data row <> row then fail "row %d is not found" row;
    let is_indexed index =
      let key = Array.map (fun column -> data.(row + column)) (Index.columns index) in
      let bucket = Index.find index key in
      let times = ref 0 and at = ref Index.first in
      while !at < bucket.(0) do
        let other = bucket.(!at) in
        if other = row then incr times;
        if is_gone (Rows.status t.rows other) then fail "row %d is gone and in an index" other;
        for i = 0 to Rows.width t.rows - 1 do
          if bucket.(!at + 1 + i) <> data.(other + i) then fail "row %d is another in an index" other
        done;
        at := !at + Rows.stride t.rows
      done;
      if !times <> 1 then fail "row %d is %d times in an index" row !times
    in
    List.iter is_indexed t.indexes
  in
  iter row_is_found t;
  if !count <> length t then fail "%d rows, but length %d" !count (length t)
