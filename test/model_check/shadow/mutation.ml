let planted = ref ""
let is name = String.equal !planted name
let plant name = planted := name
