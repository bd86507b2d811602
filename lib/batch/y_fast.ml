include
  Int_maps.Make
    (Weft_containers.Y_fast)
    (struct
      let name = "Y_fast"
    end)
