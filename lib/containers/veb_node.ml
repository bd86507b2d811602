type 'v t =
  | Empty
  | Leaf of { mutable word : int; values : 'v array; mutable owner : int }
      (** places without a key have copies of the value of the key [owner], so that no removed value is kept
          alive *)
  | Node of {
      mutable min : int;
      mutable max : int;
      mutable min_value : 'v;
      mutable dense : 'v t array;  (** the clusters, or [[||]] *)
      mutable sparse : 'v t Sparse_array.t option;  (** the clusters, if they are too many for an array *)
      mutable summary : unit t;  (** the numbers of the clusters that are not empty *)
    }

(* Low parts have 5 * 2^k bits, so they split evenly again. They have between a third and two thirds of all
   bits, if these are 8 or more, so the depth is O(log bits). *)
let split bits =
  let rec go low = if 3 * low > bits || 2 * low >= bits then low else go (2 * low) in
  go Bit_word.bits

let splits = String.init (Universe.most_bits + 1) (fun bits -> Char.chr (split bits))
let[@inline] low_bits bits = Char.code (String.unsafe_get splits bits)
let[@inline] low_part key low = key land ((1 lsl low) - 1)

(* Clusters are in an array if their numbers have up to so many bits. Only one of the first two levels can
   have as many. *)
let most_dense_bits = 16

(* --- one cluster --- *)

let[@inline] cluster dense sparse h =
  if Array.length dense > 0 then Array.unsafe_get dense h
  else match sparse with None -> Empty | Some s -> Sparse_array.get s h

let set_cluster tree ~high h c =
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n -> (
      if Array.length n.dense > 0 then n.dense.(h) <- c
      else
        match n.sparse with
        | Some s -> if c == Empty then Sparse_array.clear s h else Sparse_array.set s h c
        | None ->
            if high <= most_dense_bits then begin
              let dense = Array.make (1 lsl high) Empty in
              dense.(h) <- c;
              n.dense <- dense
            end
            else begin
              let s = Sparse_array.create Empty in
              Sparse_array.set s h c;
              n.sparse <- Some s
            end)

let empty = Empty

let singleton bits key value =
  if bits <= Bit_word.bits then Leaf { word = 1 lsl key; values = Array.make (1 lsl bits) value; owner = key }
  else Node { min = key; max = key; min_value = value; dense = [||]; sparse = None; summary = Empty }

let[@inline] is_empty = function Empty -> true | Leaf _ | Node _ -> false
let[@inline] min = function Empty -> -1 | Leaf { word; _ } -> Bit_word.lowest word | Node { min; _ } -> min
let[@inline] max = function Empty -> -1 | Leaf { word; _ } -> Bit_word.highest word | Node { max; _ } -> max

let min_value = function
  | Empty -> assert false
  | Leaf { word; values; _ } -> values.(Bit_word.lowest word)
  | Node { min_value; _ } -> min_value

(* --- look-ups --- *)

let rec mem : 'v. 'v t -> int -> int -> bool =
 fun tree bits key ->
  match tree with
  | Empty -> false
  | Leaf { word; _ } -> (word lsr key) land 1 <> 0
  | Node { min; max; dense; sparse; _ } ->
      if key <= min || key > max then key = min
      else
        let low = low_bits bits in
        mem (cluster dense sparse (key lsr low)) low (low_part key low)

let rec find_opt tree bits key =
  match tree with
  | Empty -> None
  | Leaf { word; values; _ } ->
      if (word lsr key) land 1 <> 0 then Some (Array.unsafe_get values key) else None
  | Node { min; max; min_value; dense; sparse; _ } ->
      if key <= min || key > max then if key = min then Some min_value else None
      else
        let low = low_bits bits in
        find_opt (cluster dense sparse (key lsr low)) low (low_part key low)

let rec succ : 'v. 'v t -> int -> int -> int =
 fun tree bits key ->
  match tree with
  | Empty -> -1
  | Leaf { word; _ } ->
      let above = Bit_word.above key word in
      if above = 0 then -1 else Bit_word.lowest above
  | Node { min = least; max = greatest; dense; sparse; summary; _ } ->
      if key < least then least
      else if key >= greatest then -1
      else
        let low = low_bits bits in
        let h = key lsr low and l = low_part key low in
        let c = cluster dense sparse h in
        (* Either the search in the cluster or that in the summary descends. All else is O(1). *)
        if l < max c then (h lsl low) lor succ c low l
        else
          let h = succ summary (bits - low) h in
          (* This is so only if an exception has come between the changes of one operation. *)
          if h < 0 then -1 else (h lsl low) lor min (cluster dense sparse h)

let rec pred : 'v. 'v t -> int -> int -> int =
 fun tree bits key ->
  match tree with
  | Empty -> -1
  | Leaf { word; _ } ->
      let below = Bit_word.below key word in
      if below = 0 then -1 else Bit_word.highest below
  | Node { min = least; max = greatest; dense; sparse; summary; _ } ->
      if key > greatest then greatest
      else if key <= least then -1
      else
        let low = low_bits bits in
        let h = key lsr low and l = low_part key low in
        let c = cluster dense sparse h in
        if (not (is_empty c)) && l > min c then (h lsl low) lor pred c low l
        else
          let h = pred summary (bits - low) h in
          if h < 0 then least else (h lsl low) lor max (cluster dense sparse h)
