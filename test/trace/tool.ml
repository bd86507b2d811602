open Testing

let here = Filename.dirname Sys.executable_name
let program name = Filename.concat here name
let weft = Filename.concat here "../../bin/main.exe"
let in_folder f = Testing.Folder.within "weft-test-trace-" f
let start ?environment ?(program = weft) arguments = Child.start ?env:environment program arguments
let run ?environment arguments = Child.run ?env:environment weft arguments
