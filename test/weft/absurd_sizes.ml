open Support

(* Sizes that no array has: the message begins with the function that the caller has called. *)

let too_many = max_int
let some = [| 1; 2; 3 |]

let calls size =
  let ignoring f () = ignore (Sys.opaque_identity (f ())) in
  let ints () = Weft.Seq.init size Fun.id and floats () = Weft.Seq.init size float in
  [
    ("Weft.Array.make", ignoring (fun () -> Weft.Array.make size 0));
    ("Weft.Array.create_float", ignoring (fun () -> Weft.Array.create_float size));
    ("Weft.Array.init", ignoring (fun () -> Weft.Array.init size Fun.id));
    ("Weft.Array.histogram", ignoring (fun () -> Weft.Array.histogram ~buckets:size Fun.id some));
    ("Weft.Array.histogram", ignoring (fun () -> Weft.Array.histogram ~buckets:size Fun.id [||]));
    ("Weft.Floatarray.create", ignoring (fun () -> Weft.Floatarray.create size));
    ("Weft.Floatarray.make", ignoring (fun () -> Weft.Floatarray.make size 0.));
    ("Weft.Floatarray.init", ignoring (fun () -> Weft.Floatarray.init size float));
    ("Weft.List.init", ignoring (fun () -> Weft.List.init size Fun.id));
    ("Weft.Random.permutation", ignoring (fun () -> Weft.Random.(permutation (make 1) size)));
  ]
  @
  if size < 0 then [ ("Weft.Seq.init", ignoring ints) ]
  else
    [
      ("Weft.Seq.to_array", ignoring (fun () -> Weft.Seq.to_array (ints ())));
      ("Weft.Seq.to_floatarray", ignoring (fun () -> Weft.Seq.to_floatarray (floats ())));
      ("Weft.Seq.to_list", ignoring (fun () -> Weft.Seq.to_list (ints ())));
      ("Weft.Seq.to_seq", ignoring (fun () -> Weft.Seq.to_seq (ints ()) ()));
      ("Weft.Seq.force", ignoring (fun () -> Weft.Seq.force (ints ())));
    ]

let messages_name_the_function size () =
  List.iter (fun (name, call) -> raises_invalid name (name ^ ": ") call) (calls size)

let tests =
  List.map
    (fun size -> case (Printf.sprintf "sizes of %d" size) (messages_name_the_function size))
    [ -1; min_int; Sys.max_array_length + 1; too_many ]
