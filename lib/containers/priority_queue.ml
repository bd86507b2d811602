(* If the heap at the front has so many elements already, those that leave last may go into a bucket. *)
let most_in_heap = 512

(* Up to so many elements are pushed one by one. *)
let few = 64

module Make (Order : Maps.ORDERED) = struct
  module Buckets = Bucket_stack.Make (Order)
  module Heap = Buckets.Heap

  type priority = Order.t

  type 'v t = {
    (* The front, which leaves before everything in buckets, is an array, in order from [head] on, and a
       heap. *)
    mutable sorted : 'v Heap.slot array;
    mutable head : int;
    heap : 'v Heap.t;
    buckets : 'v Buckets.t;
    mutable length : int;
    mutable arrivals : int;
  }

  let create () =
    { sorted = [||]; head = 0; heap = Heap.create (); buckets = Buckets.create (); length = 0; arrivals = 0 }

  let length t = t.length
  let sorted_left t = Array.length t.sorted - t.head
  let sorted_rest t = Array.sub t.sorted t.head (sorted_left t)
  let priority_of = function Heap.Entry e -> e.priority | Vacant -> assert false
  let binding = function Heap.Entry e -> Some (e.priority, e.value) | Vacant -> None

  (* {2 The front} *)

  (* A place behind the first third of a sorted array, with a greater priority than the place before it; 0
     if there is none. *)
  let division slots =
    let n = Array.length slots in
    let rec up i =
      if i >= n then 0
      else if Order.compare (priority_of slots.(i - 1)) (priority_of slots.(i)) < 0 then i
      else up (i + 1)
    in
    up (max 1 (n / 3))

  (* Sorts the whole front. About a third of it becomes the front's array, and the rest a bucket; if all of
     the rest has one priority, the whole becomes the array. *)
  let[@inline never] spill t =
    let all = Array.append (sorted_rest t) (Heap.contents t.heap) in
    Heap.sort all;
    let at = division all in
    if at = 0 then t.sorted <- all
    else begin
      let rest = Array.sub all at (Array.length all - at) in
      Buckets.push t.buckets (priority_of rest.(0)) rest;
      t.sorted <- Array.sub all 0 at
    end;
    t.head <- 0;
    Heap.clear t.heap

  let rec push_slot t p slot =
    let i = Buckets.find t.buckets p in
    if i < Buckets.count t.buckets then Buckets.append t.buckets i slot
    else
      let n = Heap.size t.heap in
      if n >= most_in_heap && n > sorted_left t then begin
        spill t;
        (* There may be a bucket for it now. *)
        push_slot t p slot
      end
      else Heap.push t.heap slot

  let push t p v =
    push_slot t p (Heap.Entry { priority = p; value = v; arrival = t.arrivals });
    t.arrivals <- t.arrivals + 1;
    t.length <- t.length + 1

  (* {2 From the buckets to the front} *)

  (* Appends the topmost buckets to the front's array until it has [k] elements more. If a comparison
     raises, what has been sorted before stays there. *)
  let refill for_all t k =
    let pieces = ref [ sorted_rest t ] in
    let rec go k =
      match Buckets.take for_all t.buckets k with
      | [] -> ()
      | sorted ->
          pieces := List.rev_append sorted !pieces;
          go (List.fold_left (fun k piece -> k - Array.length piece) k sorted)
    in
    let keep () =
      t.sorted <- (match !pieces with [ a; [||] ] -> a | pieces -> Array.concat (List.rev pieces));
      t.head <- 0
    in
    match go k with
    | () -> keep ()
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        keep ();
        Printexc.raise_with_backtrace exn backtrace

  (* {2 Taking off} *)

  let forget_sorted t =
    if t.head = Array.length t.sorted then begin
      t.sorted <- [||];
      t.head <- 0
    end

  let take_sorted t =
    let slot = t.sorted.(t.head) in
    t.sorted.(t.head) <- Heap.Vacant;
    t.head <- t.head + 1;
    forget_sorted t;
    slot

  let take_heap t =
    let slot = Heap.first t.heap in
    Heap.pop t.heap;
    slot

  let refill_if_empty t = if Heap.size t.heap = 0 && sorted_left t = 0 then refill Grouping.in_order t 1

  let heap_first t =
    Heap.size t.heap > 0 && (sorted_left t = 0 || Heap.before (Heap.first t.heap) t.sorted.(t.head))

  let pop t =
    refill_if_empty t;
    let slot = if heap_first t then take_heap t else take_sorted t in
    t.length <- t.length - 1;
    slot

  let pop_min t = if t.length = 0 then None else binding (pop t)

  let min_opt t =
    if t.length = 0 then None
    else begin
      refill_if_empty t;
      binding (if heap_first t then Heap.first t.heap else t.sorted.(t.head))
    end

  let of_seq items =
    let t = create () in
    Seq.iter (fun (p, v) -> push t p v) items;
    t

  let fold_slots f acc t =
    let acc = Array.fold_left f acc (sorted_rest t) in
    let acc = Array.fold_left f acc (Heap.contents t.heap) in
    Buckets.fold f acc t.buckets

  let to_seq t =
    let slots = Array.of_list (fold_slots (fun l slot -> slot :: l) [] t) in
    Heap.sort slots;
    Seq.filter_map binding (Array.to_seq slots)

  (* {2 Batches} *)

  (* The front and these [slots] become one bucket. *)
  let pile_up t slots =
    let all = Array.concat [ sorted_rest t; Heap.contents t.heap; slots ] in
    let lower p slot = if Order.compare (priority_of slot) p < 0 then priority_of slot else p in
    let low = Array.fold_left lower (priority_of all.(0)) all in
    Buckets.push t.buckets low all;
    t.sorted <- [||];
    t.head <- 0;
    Heap.clear t.heap

  let push_each for_all t ~count:n ~priority ~value ~failed =
    let pushed = ref n in
    let slot i = Heap.Entry { priority = priority i; value = value i; arrival = t.arrivals + i } in
    let one_by_one first last item =
      for place = first to last do
        let i = item place in
        try push_slot t (priority i) (slot i)
        with e ->
          decr pushed;
          failed i e (Printexc.get_raw_backtrace ())
      done
    in
    (* Tells these items, of which none has been pushed, that they have failed. *)
    let fail first last item e =
      let bt = Printexc.get_raw_backtrace () in
      for place = first to last do
        decr pushed;
        failed (item place) e bt
      done
    in
    let buckets = Buckets.count t.buckets in
    let group () =
      let bucket = Array.make n 0 in
      Grouping.for_blocks for_all n (fun first last ->
          for i = first to last do
            bucket.(i) <- Buckets.find t.buckets (priority i)
          done);
      Grouping.group for_all ~classes:(buckets + 1) bucket
    in
    (match if n <= few || buckets > n then None else Some (group ()) with
    | exception e when Fatal.is e -> fail 0 (n - 1) Fun.id e
    | None | (exception _) -> one_by_one 0 (n - 1) Fun.id
    | Some { order; starts } -> (
        for_all buckets (fun b ->
            let first = starts.(b) and last = starts.(b + 1) - 1 in
            Buckets.reserve t.buckets b (last - first + 1);
            for place = first to last do
              Buckets.append t.buckets b (slot order.(place))
            done);
        let front = starts.(buckets) in
        let at_front = n - front in
        if at_front <= most_in_heap || at_front <= sorted_left t + Heap.size t.heap then
          one_by_one front (n - 1) (Array.get order)
        else
          match pile_up t (Array.init at_front (fun i -> slot order.(front + i))) with
          | () -> ()
          | exception e when Fatal.is e -> fail front (n - 1) (Array.get order) e
          | exception _ -> one_by_one front (n - 1) (Array.get order)));
    t.arrivals <- t.arrivals + n;
    t.length <- t.length + !pushed

  let prepare for_all t k =
    let there = sorted_left t + Heap.size t.heap in
    if there < k then refill for_all t (k - there)

  (* Puts the first [n] of [taken] back to where they were: before everything else. *)
  let give_back t taken n =
    t.sorted <- Array.append (Array.sub taken 0 n) (sorted_rest t);
    t.head <- 0;
    t.length <- t.length + n

  (* Takes off the first [k] elements, if there are at least so many. If a comparison raises, it takes none
     off. *)
  let take for_all t k =
    prepare for_all t k;
    let taken = Array.make k Heap.Vacant in
    if Heap.size t.heap = 0 then begin
      Array.blit t.sorted t.head taken 0 k;
      Array.fill t.sorted t.head k Heap.Vacant;
      t.head <- t.head + k;
      t.length <- t.length - k;
      forget_sorted t
    end
    else begin
      let n = ref 0 in
      try
        while !n < k do
          taken.(!n) <- pop t;
          incr n
        done
      with e ->
        let bt = Printexc.get_raw_backtrace () in
        give_back t taken !n;
        Printexc.raise_with_backtrace e bt
    end;
    taken

  let pop_each for_all t ~count ~popped ~failed =
    match take for_all t (min count t.length) with
    | taken ->
        Grouping.for_blocks for_all count (fun first last ->
            for i = first to last do
              popped i (if i < Array.length taken then binding taken.(i) else None)
            done)
    | exception e when not (Fatal.is e) ->
        for i = 0 to count - 1 do
          match pop_min t with
          | first -> popped i first
          | exception e -> failed i e (Printexc.get_raw_backtrace ())
        done

  let pop_many for_all t k =
    if k < 0 then
      invalid_arg
        (Printf.sprintf "Weft_containers.Priority_queue.pop_many: %d elements: ask for none or more" k);
    let pair = function Heap.Entry e -> (e.priority, e.value) | Vacant -> assert false in
    let taken = take for_all t (min k t.length) in
    let n = Array.length taken in
    if n = 0 then [||]
    else begin
      let all_pairs () =
        let pairs = Array.make n (pair taken.(0)) in
        Grouping.for_blocks for_all n (fun first last ->
            for i = first to last do
              pairs.(i) <- pair taken.(i)
            done);
        pairs
      in
      match all_pairs () with
      | pairs -> pairs
      | exception exn ->
          (* The caller may have been cancelled, for example: then nobody gets the elements. *)
          let backtrace = Printexc.get_raw_backtrace () in
          give_back t taken n;
          Printexc.raise_with_backtrace exn backtrace
    end

  let check t =
    let last = ref Heap.Vacant in
    let in_front slot =
      if Buckets.find t.buckets (priority_of slot) < Buckets.count t.buckets then
        failwith "an element at the front that is not before those in buckets"
    in
    Array.iter
      (fun slot ->
        if slot == Heap.Vacant then failwith "a gap in the front's array";
        if Heap.before slot !last then failwith "the front's array is not in order";
        in_front slot;
        last := slot)
      (sorted_rest t);
    Heap.check t.heap;
    Array.iter in_front (Heap.contents t.heap);
    Buckets.check t.buckets;
    let n = fold_slots (fun n _ -> n + 1) 0 t in
    if n <> t.length then failwith (Printf.sprintf "length %d, but %d elements" t.length n)
end
