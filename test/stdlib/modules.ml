type t = {
  title : string;
  standard : string;
  renamed : string;
  comparison : Comparison.t;
  wrong : string list;
}

(* [types]: the module's own types, here and there, which are written [renamed]. *)
let compare ~title ~standard ~types ~renamed ?(sequential = []) ~other ~missing () =
  let read = Signature.read ~own:types ~shown:renamed in
  let comparison, wrong =
    Comparison.compare ~standard:(read standard) ~weft:(read title) ~own:(Testing_standard.Own.names title)
      ~sequential ~other ~missing
  in
  { title; standard; renamed; comparison; wrong }

let arrays () =
  compare ~title:"Weft.Array" ~standard:"Stdlib.Array" ~types:[ "t"; "array"; "Array.t" ] ~renamed:"array"
    ~other:
      [
        ( "[kept for older programs](rationale.md#one-name-one-meaning); the new name is `Weft.Random.shuffle`",
          [ "shuffle" ] );
      ]
    ~missing:[] ()

let floatarrays () =
  compare ~title:"Weft.Floatarray" ~standard:"Stdlib.Float.Array"
    ~types:[ "t"; "floatarray"; "Float.Array.t" ]
    ~renamed:"floatarray"
    ~other:
      [
        ( "[kept for older programs](rationale.md#one-name-one-meaning); the new name is `sort_floats`, \
           which calls no comparison; with one it is `stable_sort`",
          [ "sort" ] );
      ]
    ~missing:[] ()

let lists () =
  compare ~title:"Weft.List" ~standard:"Stdlib.List" ~types:[ "t"; "list"; "List.t" ] ~renamed:"list"
    ~sequential:[ "take"; "drop"; "take_while"; "drop_while" ]
    ~other:[] ~missing:[] ()

let sequences () =
  let infinite = "infinite: a sequence of Weft has a last element" in
  compare ~title:"Weft.Seq" ~standard:"Stdlib.Seq" ~types:[ "t" ] ~renamed:"t"
    ~sequential:[ "fold_left"; "fold_lefti"; "fold_left2"; "unfold"; "of_dispenser"; "to_dispenser" ]
    ~other:
      [
        ( "[kept for older programs](rationale.md#one-name-one-meaning); the new name is `scan_inclusive`; \
           with an initial value `scan_exclusive`",
          [ "scan" ] );
        ( "[kept for older programs](rationale.md#one-name-one-meaning); the new name is `concat_list`; of a \
           sequence of sequences it is `flatten`",
          [ "concat" ] );
      ]
    ~missing:
      [
        (infinite, [ "repeat"; "forever"; "cycle"; "iterate"; "ints" ]);
        ( "where it ends, or begins, is known only from the left: use `find_index`, `take` and `drop`",
          [ "take_while"; "drop_while" ] );
        ("a delayed sequence has no first node: use `is_empty`, `find`, `to_seq`", [ "uncons" ]);
        ("a use may run the source several times: see `memoize`", [ "once" ]);
        ("sequential by nature; `Weft.Array.group_by` groups in parallel", [ "group" ]);
        ("sequential by nature; in arrays it is `Weft.Array.merge`", [ "sorted_merge" ]);
        ("elements in turn: use arrays", [ "interleave"; "transpose" ]);
      ]
    ()

let all () = [ arrays (); floatarrays (); lists (); sequences () ]
