type t = int

exception Planned

let calls = Atomic.make 0
let first = Atomic.make max_int
let last = Atomic.make max_int
let poison = Atomic.make None

let compare (x : int) y =
  let call = Atomic.fetch_and_add calls 1 in
  if call >= Atomic.get first && call <= Atomic.get last then raise Planned;
  match Atomic.get poison with Some p when x = p || y = p -> raise Planned | _ -> Int.compare x y

let calm () =
  Atomic.set first max_int;
  Atomic.set poison None

let raising_at ?(ever = false) k f =
  Atomic.set calls 0;
  Atomic.set last (if ever then max_int else k);
  Atomic.set first k;
  Fun.protect f ~finally:calm

let raising_on key f =
  Atomic.set poison (Some key);
  Fun.protect f ~finally:calm

let counted f =
  Atomic.set calls 0;
  f ();
  Atomic.get calls
