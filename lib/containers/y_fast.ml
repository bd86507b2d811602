include Joined.Make (Y_trie)
