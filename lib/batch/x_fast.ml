include
  Int_maps.Make
    (Weft_containers.X_fast)
    (struct
      let name = "X_fast"
    end)
