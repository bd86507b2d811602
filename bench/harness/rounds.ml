let shuffle random xs =
  let a = Array.of_list xs in
  for i = Array.length a - 1 downto 1 do
    let j = Random.State.int random (i + 1) in
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  done;
  Array.to_list a

let order ~round ~together configs =
  let random = Random.State.make [| round |] in
  let groups = Hashtbl.create 64 in
  List.iter (fun config -> Hashtbl.add groups (together config) config) configs;
  let names = List.sort_uniq String.compare (List.map together configs) in
  let members name = shuffle random (List.rev (Hashtbl.find_all groups name)) in
  List.concat_map members (shuffle random names)
