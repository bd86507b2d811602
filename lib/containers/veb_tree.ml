(* Words for the last five bits. Above, a node of [bits] bits splits keys into a high part, the number of a cluster,
   and a low part. The least key is in no cluster; the greatest is, so that [max] is a copy.

   A tree that exists is not empty: so there is always a value to fill arrays and [min_value] with. *)
type 'v t =
  | Empty
  | Leaf of { mutable word : int; values : 'v array; mutable owner : int }
      (** values that no key has are copies of that of the key [owner], so that none removed is kept alive *)
  | Node of {
      mutable min : int;
      mutable max : int;
      mutable min_value : 'v;
      mutable dense : 'v t array;  (** the clusters, or [[||]] *)
      mutable sparse : 'v t Sparse_array.t option;  (** where they would be too many for an array *)
      mutable summary : unit t;  (** the numbers of the clusters that are not empty *)
    }

type outcome = Absent | Removed | Emptied

(* Low parts have 5 * 2^k bits, so that below the first split all are even, and between a third and two thirds of all:
   so the depth is O(log bits). *)
let split bits =
  let rec go low = if 3 * low > bits || 2 * low >= bits then low else go (2 * low) in
  go Bit_word.bits

let splits = String.init (Universe.most_bits + 1) (fun bits -> Char.chr (split bits))
let[@inline] low_bits bits = Char.code (String.unsafe_get splits bits)
let[@inline] low_part key low = key land ((1 lsl low) - 1)

(* An array of clusters for up to so many bits; only one of the first two levels can have as many as that. *)
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
        (* Only one of the two searches descends: the other ends in O(1). *)
        if l < max c then (h lsl low) lor succ c low l
        else
          let h = succ summary (bits - low) h in
          (h lsl low) lor min (cluster dense sparse h)

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

(* --- changes --- *)

let fill_up word values owner =
  let value = values.(owner) in
  for i = 0 to Array.length values - 1 do
    if (word lsr i) land 1 = 0 then values.(i) <- value
  done

(* A cluster that was empty costs an insertion into the summary, but none into itself: so again only one descends. *)
let rec add : 'v. 'v t -> int -> int -> 'v -> bool =
 fun tree bits key value ->
  match tree with
  | Empty -> invalid_arg "Weft_containers.Veb_tree.add: an empty tree; use singleton"
  | Leaf l ->
      let bit = 1 lsl key in
      let fresh = l.word land bit = 0 in
      l.values.(key) <- value;
      if fresh then l.word <- l.word lor bit else if key = l.owner then fill_up l.word l.values key;
      fresh
  | Node n ->
      if key > n.min then begin
        if key > n.max then n.max <- key;
        add_below tree bits key value
      end
      else if key = n.min then begin
        n.min_value <- value;
        false
      end
      else begin
        let old = n.min and old_value = n.min_value in
        n.min <- key;
        n.min_value <- value;
        add_below tree bits old old_value
      end

and add_below : 'v. 'v t -> int -> int -> 'v -> bool =
 fun tree bits key value ->
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n -> (
      let low = low_bits bits in
      let h = key lsr low and l = low_part key low in
      match cluster n.dense n.sparse h with
      | (Leaf _ | Node _) as c -> add c low l value
      | Empty ->
          let high = bits - low in
          set_cluster tree ~high h (singleton low l value);
          summarize tree ~high h;
          true)

and summarize : 'v. 'v t -> high:int -> int -> unit =
 fun tree ~high h ->
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n -> (
      match n.summary with
      | Empty -> n.summary <- singleton high h ()
      | (Leaf _ | Node _) as summary -> ignore (add summary high h () : bool))

let rec remove : 'v. 'v t -> int -> int -> outcome =
 fun tree bits key ->
  match tree with
  | Empty -> Absent
  | Leaf l ->
      let bit = 1 lsl key in
      if l.word land bit = 0 then Absent
      else begin
        l.word <- l.word lxor bit;
        if l.word = 0 then Emptied
        else begin
          if key = l.owner then begin
            l.owner <- Bit_word.lowest l.word;
            fill_up l.word l.values l.owner
          end
          else l.values.(key) <- l.values.(l.owner);
          Removed
        end
      end
  | Node n ->
      if key < n.min || key > n.max then Absent
      else if n.min = n.max then Emptied
      else if key = n.min then begin
        pull_min tree bits;
        Removed
      end
      else begin
        let outcome = remove_below tree bits key in
        if outcome <> Absent && key = n.max then find_max tree bits;
        outcome
      end

(* Never [Emptied]: the least key is not below. *)
and remove_below : 'v. 'v t -> int -> int -> outcome =
 fun tree bits key ->
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n -> (
      let low = low_bits bits in
      let h = key lsr low in
      match remove (cluster n.dense n.sparse h) low (low_part key low) with
      | (Absent | Removed) as outcome -> outcome
      | Emptied ->
          let high = bits - low in
          set_cluster tree ~high h Empty;
          unsummarize tree ~high h;
          Removed)

and unsummarize : 'v. 'v t -> high:int -> int -> unit =
 fun tree ~high h ->
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n -> if remove n.summary high h = Emptied then n.summary <- Empty

(* The least key of the clusters, of which there must be one, becomes that of the node. *)
and pull_min : 'v. 'v t -> int -> unit =
 fun tree bits ->
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n ->
      let low = low_bits bits in
      let h = min n.summary in
      let c = cluster n.dense n.sparse h in
      let key = (h lsl low) lor min c in
      n.min_value <- min_value c;
      n.min <- key;
      ignore (remove_below tree bits key : outcome)

and find_max : 'v. 'v t -> int -> unit =
 fun tree bits ->
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n ->
      if is_empty n.summary then n.max <- n.min
      else
        let h = max n.summary in
        n.max <- (h lsl low_bits bits) lor max (cluster n.dense n.sparse h)

(* --- the topmost node --- *)

let get_cluster tree h =
  match tree with
  | Empty -> Empty
  | Leaf _ -> assert false
  | Node { dense; sparse; _ } -> cluster dense sparse h

let put_cluster tree bits h c =
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n ->
      let old = cluster n.dense n.sparse h in
      if c != old then begin
        let high = bits - low_bits bits in
        set_cluster tree ~high h c;
        if is_empty old then summarize tree ~high h else if is_empty c then unsummarize tree ~high h
      end

let has_array = function Empty | Leaf _ -> false | Node { dense; _ } -> Array.length dense > 0

let replace_in_array tree h c =
  match tree with Empty | Leaf _ -> assert false | Node { dense; _ } -> dense.(h) <- c

let summarize_top tree bits h = summarize tree ~high:(bits - low_bits bits) h
let unsummarize_top tree bits h = unsummarize tree ~high:(bits - low_bits bits) h

let settle tree bits ~min_taken =
  match tree with
  | Empty | Leaf _ -> assert false
  | Node n when is_empty n.summary ->
      n.max <- n.min;
      if min_taken then Empty else tree
  | Node n ->
      let h = min n.summary in
      let first = (h lsl low_bits bits) lor min (cluster n.dense n.sparse h) in
      if min_taken then pull_min tree bits
      else if first < n.min then begin
        let old = n.min and old_value = n.min_value in
        pull_min tree bits;
        ignore (add_below tree bits old old_value : bool)
      end;
      find_max tree bits;
      tree

(* Level by level, not key by key. *)
let warm tree bits keys n =
  let trees = Array.make n tree in
  let rec levels bits =
    if bits <= Bit_word.bits then
      for j = 0 to n - 1 do
        match trees.(j) with
        | Leaf { values; _ } -> ignore (Sys.opaque_identity values.(low_part keys.(j) bits))
        | Empty | Node _ -> ()
      done
    else begin
      let low = low_bits bits in
      for j = 0 to n - 1 do
        match trees.(j) with
        | Node { dense; _ } when Array.length dense > 0 -> trees.(j) <- dense.(low_part keys.(j) bits lsr low)
        | Empty | Leaf _ | Node _ -> trees.(j) <- Empty
      done;
      levels low
    end
  in
  levels bits

(* --- all --- *)

let rec iter_word f base values word =
  if word <> 0 then begin
    let i = Bit_word.lowest word in
    f (base lor i) values.(i);
    iter_word f base values (word land (word - 1))
  end

let rec iter : 'v. (int -> 'v -> unit) -> int -> 'v t -> int -> unit =
 fun f base tree bits ->
  match tree with
  | Empty -> ()
  | Leaf { word; values; _ } -> iter_word f base values word
  | Node { min; min_value; dense; sparse; summary; _ } ->
      f (base lor min) min_value;
      let low = low_bits bits in
      iter (fun h () -> iter f (base lor (h lsl low)) (cluster dense sparse h) low) 0 summary (bits - low)

(* --- for tests --- *)

let rec check : 'v. 'v t -> int -> int =
 fun tree bits ->
  let fail what = failwith (Printf.sprintf "Veb_tree, %d bits: %s" bits what) in
  match tree with
  | Empty -> 0
  | Leaf { word; values; owner } ->
      if bits > Bit_word.bits then fail "a word for too many bits";
      if Array.length values <> 1 lsl bits then fail "the wrong number of values";
      if (word lsr owner) land 1 = 0 then fail "an owner without a key";
      Array.iteri
        (fun i v ->
          if (word lsr i) land 1 = 0 && v != values.(owner) && compare v values.(owner) <> 0 then
            fail "a value that no key has")
        values;
      if word <= 0 || word lsr 1 lsl bits <> 0 then fail "a word that is empty or too large";
      let count = ref 0 in
      iter_word (fun _ _ -> incr count) 0 values word;
      !count
  | Node n ->
      let low = low_bits bits in
      let count = ref 1 and last = ref n.min in
      let summarized = check n.summary (bits - low) in
      iter
        (fun h () ->
          let c = cluster n.dense n.sparse h in
          if is_empty c then fail "an empty cluster in the summary";
          count := !count + check c low;
          if (h lsl low) lor min c <= n.min then fail "a cluster with a key not above the least";
          last := (h lsl low) lor max c)
        0 n.summary (bits - low);
      if n.max <> !last then fail "the wrong greatest key";
      let filled = Array.fold_left (fun k c -> if is_empty c then k else k + 1) 0 n.dense in
      if Array.length n.dense > 0 && filled <> summarized then fail "a cluster that is not in the summary";
      !count
