type t = { words : Tally.t; mutable files : int; mutable bytes : int; mutable skipped : Skipped.t list }

let create () = { words = Tally.create (); files = 0; bytes = 0; skipped = [] }

let merge ~into t =
  Tally.merge ~into:into.words t.words;
  into.files <- into.files + t.files;
  into.bytes <- into.bytes + t.bytes;
  into.skipped <- List.rev_append t.skipped into.skipped

let equal a b =
  let skipped t = List.sort Skipped.compare t.skipped in
  Tally.equal a.words b.words && a.files = b.files && a.bytes = b.bytes && skipped a = skipped b

(* Reads [file] into [t]; the caller chooses how its text is counted. *)
let add_file t ~on_bytes (file : Tree.file) ~add_text =
  match Tree.read file with
  | Ok text ->
      t.files <- t.files + 1;
      t.bytes <- t.bytes + String.length text;
      add_text text
  | Error reason ->
      t.skipped <- { path = file.path; reason } :: t.skipped;
      on_bytes file.size

let add_piece t ~on_bytes ~min_length text ~first ~last =
  Tally.add_words t.words ~min_length text ~first ~last;
  on_bytes (last - first)

let sequentially ?(on_bytes = ignore) ~min_length files =
  let t = create () in
  let add_text text = add_piece t ~on_bytes ~min_length text ~first:0 ~last:(String.length text) in
  Array.iter (fun file -> add_file t ~on_bytes file ~add_text) files;
  t

(* [both t left right] has [left] and [right] count into [t], perhaps at the same time. Two tasks must not
   write to one table, but a table for each of them would make merging the main work. So [right] gets a
   table of its own only if it starts while [left] is still running, that is, if another domain has stolen
   it: there is one merge for each such steal, not one for each piece. *)
let both t left right =
  let left_is_done = Atomic.make false in
  let (), other =
    Weft.par
      (fun () ->
        left t;
        Atomic.set left_is_done true)
      (fun () ->
        if Atomic.get left_is_done then begin
          right t;
          None
        end
        else begin
          let other = create () in
          right other;
          Some other
        end)
  in
  Option.iter (merge ~into:t) other

let in_parallel ?(on_bytes = ignore) ?(piece = 65_536) ~min_length files =
  let rec add_text text ~first ~last t =
    if last - first <= piece then add_piece t ~on_bytes ~min_length text ~first ~last
    else
      let middle = first + ((last - first) / 2) in
      both t (add_text text ~first ~last:middle) (add_text text ~first:middle ~last)
  in
  let rec add_files ~first ~last t =
    if last - first = 1 then
      add_file t ~on_bytes files.(first) ~add_text:(fun text ->
          add_text text ~first:0 ~last:(String.length text) t)
    else
      let middle = first + ((last - first) / 2) in
      both t (add_files ~first ~last:middle) (add_files ~first:middle ~last)
  in
  let t = create () in
  if files <> [||] then add_files ~first:0 ~last:(Array.length files) t;
  t
