(* --- the length is known --- *)

let elements (p : _ Source.pass) offset = offset p.positions
let rec first_that_gives offset k = if offset (k + 1) > 0 then k else first_that_gives offset (k + 1)

let write (p : _ Source.pass) offset set first last =
  let i = ref (offset first) in
  p.iterate first last (fun x ->
      set !i x;
      incr i)

(* --- in pieces --- *)

type 'a piece = { mutable store : 'a array; mutable used : int }

let add piece x =
  let size = Array.length piece.store in
  if piece.used = size then begin
    let larger = Results.to_write x (max 16 (2 * size)) in
    Array.blit piece.store 0 larger 0 size;
    piece.store <- larger
  end;
  piece.store.(piece.used) <- x;
  piece.used <- piece.used + 1

let rec push_on stack x =
  let was = Atomic.get stack in
  if not (Atomic.compare_and_set stack was (x :: was)) then push_on stack x

(* Calls [fill first last] for the blocks; it returns a piece. The pieces that are not empty, in order. *)
let pieces_of ~who positions fill used =
  let pieces = Atomic.make [] in
  Loop.blocks ~who ~start:0 ~finish:(positions - 1) (fun first last ->
      let piece = fill first last in
      if used piece > 0 then push_on pieces (first, piece));
  let pieces = Array.of_list (Atomic.get pieces) in
  Array.stable_sort (fun (a, _) (b, _) -> Int.compare a b) pieces;
  Array.map snd pieces

let join ~who pieces =
  let total = ref 0 in
  let placed =
    Array.map
      (fun piece ->
        let at = !total in
        total := at + piece.used;
        (at, piece))
      pieces
  in
  if !total = 0 then [||]
  else begin
    let some = Array.find_opt (fun piece -> piece.used > 0) pieces in
    let r = Results.to_write (Option.get some).store.(0) !total in
    Loop.blocks ~who ~start:0
      ~finish:(Array.length placed - 1)
      (fun first last ->
        for k = first to last do
          let at, piece = placed.(k) in
          Array.blit piece.store 0 r at piece.used
        done);
    r
  end

let in_pieces ~who (p : _ Source.pass) =
  let fill first last =
    let piece = { store = [||]; used = 0 } in
    p.iterate first last (add piece);
    piece
  in
  join ~who (pieces_of ~who p.positions fill (fun piece -> piece.used))

let partition ~who f (p : _ Source.pass) =
  let fill first last =
    let yes = { store = [||]; used = 0 } and no = { store = [||]; used = 0 } in
    p.iterate first last (fun x -> add (if f x then yes else no) x);
    (yes, no)
  in
  let pieces = pieces_of ~who p.positions fill (fun (yes, no) -> yes.used + no.used) in
  (join ~who (Array.map fst pieces), join ~who (Array.map snd pieces))

(* --- which --- *)

(* To make the array, an element is needed. So the first position that gives one runs before the others, unless
   it waits. *)
let straight ~who (p : _ Source.pass) offset =
  Current_worker.in_pool @@ fun () ->
  Bounds.length who (elements p offset);
  let k = first_that_gives offset 0 and shared = Results.shared (elements p offset) in
  let over_others f = Loop.blocks ~who ~start:(k + 1) ~finish:(p.positions - 1) f in
  let set i x = (Results.array_of shared x).(i) <- x in
  match
    Promotion.both
      (fun () -> write p offset set 0 k)
      (fun () -> over_others (fun i j -> write p offset set i j))
  with
  | (), Some () -> Results.array shared
  | (), None ->
      let r = Results.array shared in
      over_others (write p offset (fun i x -> r.(i) <- x));
      r

(* If there are only few positions, each may take long: then the others must not wait for the first. *)
let few = 4096

let to_array ~who (p : _ Source.pass) =
  match p.offset with
  | Some offset when p.positions > few && elements p offset > 0 && not (Current_worker.is_profiled ()) ->
      straight ~who p offset
  | _ -> in_pieces ~who p

(* Into memory that need not be initialised. *)
let flat ~who create set (p : _ Source.pass) =
  match p.offset with
  | Some offset ->
      Bounds.length who (elements p offset);
      let r = create (elements p offset) in
      Loop.blocks ~who ~start:0 ~finish:(p.positions - 1) (write p offset (set r));
      r
  | None ->
      let a = in_pieces ~who p in
      let r = create (Array.length a) in
      Loop.blocks ~who ~start:0
        ~finish:(Array.length a - 1)
        (fun first last ->
          for i = first to last do
            set r i (Array.unsafe_get a i)
          done);
      r

let to_floatarray ~who p = flat ~who Float.Array.create Float.Array.set p
let to_bytes ~who p = flat ~who Bytes.create Bytes.set p

let concat_strings ~who separator p =
  let strings = in_pieces ~who p in
  let n = Array.length strings and gap = String.length separator in
  let starts = Array.make (n + 1) 0 in
  for i = 0 to n - 1 do
    starts.(i + 1) <- starts.(i) + String.length strings.(i) + gap;
    Bounds.text who starts.(i + 1)
  done;
  if n = 0 then ""
  else begin
    let r = Bytes.create (starts.(n) - gap) in
    Loop.blocks ~who ~start:0 ~finish:(n - 1) (fun first last ->
        for i = first to last do
          let s = strings.(i) in
          Bytes.blit_string s 0 r starts.(i) (String.length s);
          if i < n - 1 then Bytes.blit_string separator 0 r (starts.(i + 1) - gap) gap
        done);
    Bytes.unsafe_to_string r
  end
