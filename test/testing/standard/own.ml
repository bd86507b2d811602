type t = { path : string; functions : (string * bool) list; primitives : string list }

let primitives = [ "length"; "get"; "set"; "unsafe_get"; "unsafe_set" ]

let all =
  [
    {
      path = "Weft.Array";
      functions =
        [
          ("of_list", Weft.Array.of_list == Array.of_list);
          ("to_list", Weft.Array.to_list == Array.to_list);
          ("of_seq", Weft.Array.of_seq == Array.of_seq);
          ("to_seq", Weft.Array.to_seq == Array.to_seq);
          ("to_seqi", Weft.Array.to_seqi == Array.to_seqi);
          ("fold_left", Weft.Array.fold_left == Array.fold_left);
          ("fold_right", Weft.Array.fold_right == Array.fold_right);
          ("fold_left_map", Weft.Array.fold_left_map == Array.fold_left_map);
        ];
      primitives;
    };
    {
      path = "Weft.Floatarray";
      functions =
        [
          ("of_list", Weft.Floatarray.of_list == Float.Array.of_list);
          ("to_list", Weft.Floatarray.to_list == Float.Array.to_list);
          ("of_seq", Weft.Floatarray.of_seq == Float.Array.of_seq);
          ("to_seq", Weft.Floatarray.to_seq == Float.Array.to_seq);
          ("to_seqi", Weft.Floatarray.to_seqi == Float.Array.to_seqi);
          ("fold_left", Weft.Floatarray.fold_left == Float.Array.fold_left);
          ("fold_right", Weft.Floatarray.fold_right == Float.Array.fold_right);
          ("shuffle", Weft.Floatarray.shuffle == Float.Array.shuffle);
        ];
      primitives;
    };
    {
      path = "Weft.List";
      functions =
        [
          ("length", Weft.List.length == List.length);
          ("compare_lengths", Weft.List.compare_lengths == List.compare_lengths);
          ("compare_length_with", Weft.List.compare_length_with == List.compare_length_with);
          ("is_empty", Weft.List.is_empty == List.is_empty);
          ("cons", Weft.List.cons == List.cons);
          ("hd", Weft.List.hd == List.hd);
          ("tl", Weft.List.tl == List.tl);
          ("nth", Weft.List.nth == List.nth);
          ("nth_opt", Weft.List.nth_opt == List.nth_opt);
          ("rev", Weft.List.rev == List.rev);
          ("append", Weft.List.append == List.append);
          ("rev_append", Weft.List.rev_append == List.rev_append);
          ("concat", Weft.List.concat == List.concat);
          ("flatten", Weft.List.flatten == List.flatten);
          ("equal", Weft.List.equal == List.equal);
          ("compare", Weft.List.compare == List.compare);
          ("fold_left", Weft.List.fold_left == List.fold_left);
          ("fold_right", Weft.List.fold_right == List.fold_right);
          ("fold_left2", Weft.List.fold_left2 == List.fold_left2);
          ("fold_right2", Weft.List.fold_right2 == List.fold_right2);
          ("fold_left_map", Weft.List.fold_left_map == List.fold_left_map);
          ("memq", Weft.List.memq == List.memq);
          ("assoc", Weft.List.assoc == List.assoc);
          ("assoc_opt", Weft.List.assoc_opt == List.assoc_opt);
          ("assq", Weft.List.assq == List.assq);
          ("assq_opt", Weft.List.assq_opt == List.assq_opt);
          ("mem_assoc", Weft.List.mem_assoc == List.mem_assoc);
          ("mem_assq", Weft.List.mem_assq == List.mem_assq);
          ("remove_assoc", Weft.List.remove_assoc == List.remove_assoc);
          ("remove_assq", Weft.List.remove_assq == List.remove_assq);
          ("split", Weft.List.split == List.split);
          ("combine", Weft.List.combine == List.combine);
          ("merge", Weft.List.merge == List.merge);
          ("to_seq", Weft.List.to_seq == List.to_seq);
          ("of_seq", Weft.List.of_seq == List.of_seq);
        ];
      primitives = [];
    };
  ]

let names path =
  match List.find_opt (fun own -> own.path = path) all with
  | None -> []
  | Some own -> own.primitives @ List.map fst own.functions

let whole_names =
  List.concat_map (fun own -> List.map (fun (name, _) -> own.path ^ "." ^ name) own.functions) all
