let () =
  let promise = Weft.Promise.create () in
  Weft.Promise.resolve promise 1;
  Weft.Promise.resolve promise 2
