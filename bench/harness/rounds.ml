let order ~round configs =
  let a = Array.of_list configs in
  let random = Random.State.make [| round |] in
  for i = Array.length a - 1 downto 1 do
    let j = Random.State.int random (i + 1) in
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  done;
  Array.to_list a
