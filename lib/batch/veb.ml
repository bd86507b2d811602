include
  Int_maps.Make
    (Weft_containers.Veb)
    (struct
      let name = "Veb"
    end)
