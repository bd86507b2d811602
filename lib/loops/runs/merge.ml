let merge cmp (c : Runs.cursor) a left_end right_end b k =
  (* The elements compared stay in registers, and boxed if they are floats. *)
  let rec loop i x j y k =
    if cmp x y <= 0 then begin
      set b k x;
      let i = i + 1 in
      if i < left_end then loop i (get a i) j y (k + 1) else stop i j
    end
    else begin
      set b k y;
      let j = j + 1 in
      if j < right_end then loop i x j (get a j) (k + 1) else stop i j
    end
  and stop i j =
    c.left <- i;
    c.right <- j
  in
  let i = c.left and j = c.right in
  loop i (get a i) j (get a j) k
