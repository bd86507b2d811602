let filter p a =
  let kept = Array.make (Array.length a) 0 and next = ref 0 in
  for i = 0 to Array.length a - 1 do
    let x = a.(i) in
    if p x then begin
      kept.(!next) <- x;
      incr next
    end
  done;
  Array.sub kept 0 !next

let select (c : float array) order lo hi k =
  let rec from lo hi =
    if lo < hi then begin
      let pivot = c.(order.((lo + hi) / 2)) in
      let i = ref lo and j = ref hi in
      while !i <= !j do
        while c.(order.(!i)) < pivot do
          incr i
        done;
        while c.(order.(!j)) > pivot do
          decr j
        done;
        if !i <= !j then begin
          let x = order.(!i) in
          order.(!i) <- order.(!j);
          order.(!j) <- x;
          incr i;
          decr j
        end
      done;
      if k <= !j then from lo !j else if k >= !i then from !i hi
    end
  in
  from lo hi

let radix_sort ~key order =
  let n = Array.length order in
  let digit = 11 in
  let mask = (1 lsl digit) - 1 in
  let keys = Array.make n 0 and greatest = ref 0 in
  for k = 0 to n - 1 do
    let x = key order.(k) in
    keys.(k) <- x;
    greatest := Int.max !greatest x
  done;
  let greatest = !greatest in
  let rec pass shift keys order keys' order' =
    if greatest lsr shift = 0 then order
    else begin
      let places = Array.make (mask + 2) 0 in
      let digit_of x = (x lsr shift) land mask in
      for k = 0 to n - 1 do
        let d = digit_of keys.(k) + 1 in
        places.(d) <- places.(d) + 1
      done;
      for d = 1 to mask do
        places.(d) <- places.(d) + places.(d - 1)
      done;
      for k = 0 to n - 1 do
        let d = digit_of keys.(k) in
        let place = places.(d) in
        keys'.(place) <- keys.(k);
        order'.(place) <- order.(k);
        places.(d) <- place + 1
      done;
      pass (shift + digit) keys' order' keys order
    end
  in
  pass 0 keys (Array.copy order) (Array.make n 0) (Array.make n 0)
