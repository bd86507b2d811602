module weft/rivals

go 1.21
