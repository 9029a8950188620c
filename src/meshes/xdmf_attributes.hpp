/// The elements and attributes of XDMF that its reader supports or can ignore.
#pragma once

#include <meshes/xml_tree.hpp>

#include <string>

namespace weft {

/// Refuses a document with an element or attribute that could change its meaning and that the reader does not
/// support. Local. Throws: `io_error`, which names `file`, the line and the attribute.
void check_xdmf_attributes(std::string const& file, xml_element const& root);

} // namespace weft
