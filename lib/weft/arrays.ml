(* Within this module, [Array] is OCaml's. *)

let scan combine a =
  let n = Array.length a in
  if n = 0 then [||]
  else begin
    let r = Array.make n a.(0) in
    let sum first last =
      let acc = ref (Array.unsafe_get a first) in
      for i = first + 1 to last do
        acc := combine !acc (Array.unsafe_get a i)
      done;
      !acc
    in
    let write before first last =
      let x = Array.unsafe_get a first in
      let acc = ref (match before with None -> x | Some before -> combine before x) in
      Array.unsafe_set r first !acc;
      for i = first + 1 to last do
        acc := combine !acc (Array.unsafe_get a i);
        Array.unsafe_set r i !acc
      done
    in
    Scan.run ~who:"Weft.Array.scan" ~length:n ~sum ~write combine ~init:None;
    r
  end

let scan_exclusive combine init a =
  let n = Array.length a in
  if n = 0 then [||]
  else begin
    let r = Array.make n init in
    let sum first last =
      let acc = ref (Array.unsafe_get a first) in
      for i = first + 1 to last do
        acc := combine !acc (Array.unsafe_get a i)
      done;
      !acc
    in
    let write before first last =
      let acc = ref (Option.get before) in
      for i = first to last do
        Array.unsafe_set r i !acc;
        if i < last then acc := combine !acc (Array.unsafe_get a i)
      done
    in
    Scan.run ~who:"Weft.Array.scan_exclusive" ~length:n ~sum ~write combine ~init:(Some init);
    r
  end
