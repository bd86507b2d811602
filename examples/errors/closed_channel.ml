let () =
  let numbers = Weft.Chan.bounded 8 in
  Weft.Chan.close numbers;
  Weft.Chan.send numbers 1
