(* The tables that the tries consist of. *)

open Support
open Weft_containers

let tables =
  case "integer tables: many random operations, like Hashtbl" @@ fun () ->
  let t = Int_table.create () and h = Hashtbl.create 16 in
  let state = Random.State.make [| 4 |] and n = Testing.Effort.few 1_000_000 in
  for i = 1 to n do
    (* Keys that differ only in their topmost bits, or only in their lowest; in some phases the table
       shrinks to nothing. *)
    let k = Random.State.int state 3000 lsl if i land 1 = 0 then 48 else 0 in
    let adding = Random.State.int state 100_000 < if i / (n / 10) land 1 = 0 then 70_000 else 20_000 in
    if adding then begin
      Int_table.replace t k i;
      Hashtbl.replace h k i
    end
    else begin
      Int_table.remove t k;
      Hashtbl.remove h k
    end;
    let probe = Random.State.int state 3000 in
    if Int_table.find t probe <> Option.value ~default:(-1) (Hashtbl.find_opt h probe) then
      Alcotest.failf "step %d: key %d" i probe;
    if i mod (n / 100) = 0 then Int_table.check t;
    if Int_table.length t <> Hashtbl.length h then Alcotest.failf "step %d: length" i
  done

let words =
  case "words of 32 bits: every element, lowest, highest, above, below, length" @@ fun () ->
  let state = Random.State.make [| 4 |] in
  for i = 0 to 31 do
    Alcotest.(check int) "lowest" i (Bit_word.lowest (1 lsl i));
    Alcotest.(check int) "highest" i (Bit_word.highest (1 lsl i));
    for _ = 1 to 1000 do
      let word = Random.State.bits state lor (Random.State.bits state lsl 30) land 0xFFFFFFFF lor (1 lsl i) in
      let elements = List.filter (fun j -> (word lsr j) land 1 = 1) (List.init 32 Fun.id) in
      let of_list = List.fold_left (fun w j -> w lor (1 lsl j)) 0 in
      if Bit_word.lowest word <> List.hd elements then Alcotest.fail "lowest";
      if Bit_word.highest word <> List.hd (List.rev elements) then Alcotest.fail "highest";
      if Bit_word.above i word <> of_list (List.filter (fun j -> j > i) elements) then Alcotest.fail "above";
      if Bit_word.below i word <> of_list (List.filter (fun j -> j < i) elements) then Alcotest.fail "below"
    done
  done;
  for b = 0 to 61 do
    Alcotest.(check int) "length" (b + 1) (Bit_word.length (1 lsl b));
    Alcotest.(check int) "length" b (Bit_word.length ((1 lsl b) - 1))
  done

let sparse =
  case "sparse arrays: places are used again" @@ fun () ->
  let s = Sparse_array.create (-1) and h = Hashtbl.create 16 in
  let state = Random.State.make [| 4 |] in
  for i = 1 to 100_000 do
    let k = Random.State.int state 200 * 12_345_678 in
    if Random.State.bool state then begin
      Sparse_array.set s k i;
      Hashtbl.replace h k i
    end
    else begin
      Sparse_array.clear s k;
      Hashtbl.remove h k
    end;
    let probe = Random.State.int state 200 * 12_345_678 in
    if Sparse_array.get s probe <> Option.value ~default:(-1) (Hashtbl.find_opt h probe) then
      Alcotest.fail "element"
  done

let tests = [ tables; words; sparse ]
