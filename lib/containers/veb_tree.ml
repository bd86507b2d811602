include Veb_node

type outcome = Absent | Removed | Emptied

(* --- changes --- *)

let fill_up word values owner =
  let value = values.(owner) in
  for i = 0 to Array.length values - 1 do
    if (word lsr i) land 1 = 0 then values.(i) <- value
  done

(* A cluster that was empty needs an insertion into the summary, but is itself made in O(1). So again only
   one insertion descends. *)
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

(* The result is never [Emptied], since the least key is in no cluster. *)
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

(* Takes the least key out of the clusters and makes it that of the node. The clusters must have a key. *)
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

(* Goes level by level, not key by key, so that the reads of a level wait for memory at the same time. *)
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
