/// Files of XDMF. Private.
#pragma once

#include <string>

namespace weft_test {

inline std::string xdmf_item_of(std::string const& dimensions, std::string const& numbers) {
    return "<DataItem Dimensions=\"" + dimensions + "\" Format=\"XML\" NumberType=\"Float\">" + numbers +
           "</DataItem>\n";
}

inline std::string xdmf_grid_of(std::string const& content) {
    return "<?xml version=\"1.0\"?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf "
           "Version=\"3.0\">\n<Domain>\n"
           "<Grid Name=\"mesh\" GridType=\"Uniform\">\n" +
           content + "</Grid>\n</Domain>\n</Xdmf>";
}

/// Returns the corners of two stacked cubes.
inline std::string xdmf_geometry() {
    std::string places;
    for (int i = 0; i < 12; ++i)
        places +=
            std::to_string(i & 1) + ' ' + std::to_string(i >> 1 & 1) + ' ' + std::to_string(i >> 2) + '\n';
    return "<Geometry GeometryType=\"XYZ\">\n" + xdmf_item_of("12 3", places) + "</Geometry>\n";
}

/// A hexahedron, a polygon, a tetrahedron, a prism and a pyramid.
inline std::string const xdmf_mixed =
    "<Topology TopologyType=\"Mixed\" NumberOfElements=\"5\">\n" +
    xdmf_item_of("32", "9 0 1 3 2 4 5 7 6  3 3 0 1 2  6 4 5 6 8  8 4 5 6 8 9 10  7 4 5 7 6 11") +
    "</Topology>\n";

inline std::string xdmf_attributes() {
    return "<Attribute Name=\"heat\" AttributeType=\"Scalar\" Center=\"Node\">" +
           xdmf_item_of("12", "0 10 20 30 40 50 60 70 80 90 100 1.1e2") +
           "</Attribute>\n<Attribute Name=\"wind\" AttributeType=\"Vector\" Center=\"Cell\">" +
           xdmf_item_of("5 3", "1 2 3 0 0 0 4 5 6 7 8 9 10 11 -12.5") + "</Attribute>\n";
}

/// Returns a file with one mesh.
inline std::string xdmf_text() {
    return xdmf_grid_of(xdmf_geometry() + xdmf_mixed + xdmf_attributes());
}

} // namespace weft_test
