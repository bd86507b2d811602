let merge cmp (c : Runs.cursor) a left_end right_end b k =
  let i = ref c.left and j = ref c.right in
  let shift = k - !i - !j in
  while !i < left_end && !j < right_end do
    let x = get a !i and y = get a !j in
    (* 1 or 0: a branch would be mispredicted every other time. *)
    let left = Bool.to_int (cmp x y <= 0) in
    set b (!i + !j + shift) (y lxor (x lxor y land -left));
    i := !i + left;
    j := !j + 1 - left
  done;
  c.left <- !i;
  c.right <- !j
