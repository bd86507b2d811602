let path = ref ""
let run ?input arguments = Testing.Child.run ?stdin:input !path arguments
