let[@inline] get (a : int array) i = Array.unsafe_get (Sys.opaque_identity a) i
