# What runs by `ctest --preset smpi`, at how many ranks.
set(ways nbx pex pcx rsx store_and_forward nbx_two_level pcx_two_level)

foreach(way IN LISTS ways)
  weft_smpi_test(cases.${way} 64 exchange "*/any_exchange.brings_one*/${way}:*/any_exchange.brings_messages*/${way}:*/any_exchange.n*/${way}:*/any_exchange.an_empty*/${way}:*/any_exchange.lent_items_may*/${way}")
  weft_smpi_test(errors.${way} 64 exchange "*/exchange_errors.*/${way}")
  weft_smpi_test(cases.${way} 256 exchange "*/any_exchange.brings_one*/${way}:*/any_exchange.nobody*/${way}")
endforeach()
