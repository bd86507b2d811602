type t = { a : int; b : int; c : int; d : int; e : int }

(* Words of 32 bits in integers of 63. *)
let word = 0xffff_ffff
let[@inline] rotate n x = (x lsl n) lor (x lsr (32 - n)) land word

(* {1 SHA-1 of one block (FIPS 180-4)}

   The initial state, and four groups of twenty steps, each with its own constant and function. Tail calls
   keep the five variables in registers. *)

let h0 = 0x67452301
let h1 = 0xefcdab89
let h2 = 0x98badcfe
let h3 = 0x10325476
let h4 = 0xc3d2e1f0

let rec fourth (w : int array) i a b c d e =
  if i = 80 then
    {
      a = (h0 + a) land word;
      b = (h1 + b) land word;
      c = (h2 + c) land word;
      d = (h3 + d) land word;
      e = (h4 + e) land word;
    }
  else
    let f = b lxor c lxor d in
    fourth w (i + 1) ((rotate 5 a + f + e + 0xca62c1d6 + w.(i)) land word) a (rotate 30 b) c d

let rec third (w : int array) i a b c d e =
  if i = 60 then fourth w i a b c d e
  else
    let f = b land c lor (d land (b lor c)) in
    third w (i + 1) ((rotate 5 a + f + e + 0x8f1bbcdc + w.(i)) land word) a (rotate 30 b) c d

let rec second (w : int array) i a b c d e =
  if i = 40 then third w i a b c d e
  else
    let f = b lxor c lxor d in
    second w (i + 1) ((rotate 5 a + f + e + 0x6ed9eba1 + w.(i)) land word) a (rotate 30 b) c d

let rec first (w : int array) i a b c d e =
  if i = 20 then second w i a b c d e
  else
    let f = d lxor (b land (c lxor d)) in
    first w (i + 1) ((rotate 5 a + f + e + 0x5a827999 + w.(i)) land word) a (rotate 30 b) c d

(* The domain's block; no fiber suspends while it uses the block. Only 80 of the 512 words are used: a large
   array gets memory of its own, while small arrays of two domains may share a cache line, and then two
   domains would take as long as one. *)
let block = Domain.DLS.new_key (fun () -> Array.make 512 0)

(* [hash w ~bytes] is the hash of the message in the first words of [w], which is at most 55 bytes long. A
   bit 1 follows the message, and its length in bits ends the block. *)
let hash (w : int array) ~bytes =
  let words = bytes / 4 in
  w.(words) <- 0x80000000;
  for i = words + 1 to 14 do
    w.(i) <- 0
  done;
  w.(15) <- 8 * bytes;
  for i = 16 to 79 do
    w.(i) <- rotate 1 (w.(i - 3) lxor w.(i - 8) lxor w.(i - 14) lxor w.(i - 16))
  done;
  first w 0 h0 h1 h2 h3 h4

(* {1 States} *)

let root seed =
  let w = Domain.DLS.get block in
  Array.fill w 0 4 0;
  w.(4) <- seed;
  hash w ~bytes:20

let child { a; b; c; d; e } i =
  let w = Domain.DLS.get block in
  w.(0) <- a;
  w.(1) <- b;
  w.(2) <- c;
  w.(3) <- d;
  w.(4) <- e;
  w.(5) <- i;
  hash w ~bytes:24

let random { e; _ } = e land 0x7fff_ffff
let to_hex { a; b; c; d; e } = Printf.sprintf "%08x%08x%08x%08x%08x" a b c d e
