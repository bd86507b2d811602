external read : 'record -> int = "%field0"
external write : 'record -> int -> unit = "%setfield0"
