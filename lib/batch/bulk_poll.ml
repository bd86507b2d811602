let stretch = 64
let[@inline] after i = if i land (stretch - 1) = stretch - 1 then Weft_scheduler.Poll.checkpoint ()

let iter f operations =
  for i = 0 to Array.length operations - 1 do
    f (Array.unsafe_get operations i);
    after i
  done
