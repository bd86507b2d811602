type t = Picture of string list | Random

let named =
  [
    ("blinker", Picture [ "###" ]);
    ("toad", Picture [ ".###"; "###." ]);
    ("glider", Picture [ ".#."; "..#"; "###" ]);
    ("spaceship", Picture [ ".#..#"; "#...."; "#...#"; "####." ]);
    ( "pulsar",
      let row = "#....#.#....#" and bar = "..###...###.." and gap = "............." in
      Picture [ bar; gap; row; row; row; bar; gap; bar; row; row; row; gap; bar ] );
    ("r-pentomino", Picture [ ".##"; "##."; ".#." ]);
    ("diehard", Picture [ "......#."; "##......"; ".#...###" ]);
    ("acorn", Picture [ ".#....."; "...#..."; "##..###" ]);
    ( "gun",
      (* Gosper's gun: it sends out a glider every thirty generations. *)
      Picture
        [
          "........................#...........";
          "......................#.#...........";
          "............##......##............##";
          "...........#...#....##............##";
          "##........#.....#...##..............";
          "##........#...#.##....#.#...........";
          "..........#.....#.......#...........";
          "...........#...#....................";
          "............##......................";
        ] );
    ("random", Random);
  ]

let size = function Picture rows -> (String.length (List.hd rows), List.length rows) | Random -> (1, 1)

let board t ~width ~height ~seed =
  let columns, rows = size t in
  if width < columns || height < rows then invalid_arg "Pattern.board: the board is too small";
  match t with
  | Random ->
      let random = Weft.Random.make seed in
      Board.make ~width ~height (fun ~x ~y -> Weft.Random.int_at random ((y * width) + x) 3 = 0)
  | Picture picture ->
      let picture = Array.of_list picture in
      let left = (width - columns) / 2 and top = (height - rows) / 2 in
      let is_inside x y = 0 <= x && x < columns && 0 <= y && y < rows in
      Board.make ~width ~height (fun ~x ~y ->
          let x = x - left and y = y - top in
          is_inside x y && picture.(y).[x] = '#')
