/// Files of Gmsh in all versions. Private.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace weft_test {

/// The format in which a program wrote its file.
struct gmsh_format {
    bool old = false;
    bool binary = false;
    bool swapped = false;
    bool first_of_4 = false; // version 4.0

    [[nodiscard]] std::string version() const { return old ? "2.2" : first_of_4 ? "4" : "4.1"; }
    [[nodiscard]] std::string name() const {
        return version() + (binary ? " binary" : " text") + (swapped ? " swapped" : "");
    }
    template <class T>
    void raw(std::string& into, T value) const {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        if (swapped) std::reverse(bytes, bytes + sizeof(T));
        into.append(bytes, sizeof(T));
    }
    /// Appends an int of the format, or a number of 8 bytes in version 4.
    void whole(std::string& into, std::int64_t value, bool small) const {
        if (!binary)
            into += std::to_string(value) + ' ';
        else if (old || small)
            raw(into, static_cast<std::int32_t>(value));
        else
            raw(into, value);
    }
    void wholes(std::string& into, std::initializer_list<std::int64_t> values, bool small) const {
        for (std::int64_t const each : values) whole(into, each, small);
    }
    void real(std::string& into, double value) const {
        if (binary)
            raw(into, value);
        else
            into += std::to_string(value) + ' ';
    }
    void end_line(std::string& into) const {
        if (!binary) into += '\n';
    }
};

/// Returns the number of node i = 0..11, a corner of two stacked cubes.
inline std::int64_t gmsh_number_of(int node) {
    return 100 - 7 * node;
}

struct gmsh_element {
    int number;
    int type;
    std::vector<int> nodes;
};

/// Returns a hexahedron, a tetrahedron, a prism and a pyramid in the two cubes, and a triangle.
inline std::vector<gmsh_element> gmsh_elements() {
    return {{5, 5, {0, 1, 3, 2, 4, 5, 7, 6}}, {9, 2, {0, 1, 2}}, {4, 4, {4, 5, 6, 8}},
        {20, 6, {4, 5, 6, 8, 9, 10}}, {7, 7, {4, 5, 7, 6, 11}}};
}

inline std::string gmsh_values_of_nodes(gmsh_format const& how) {
    std::string text = "$NodeData\n1\n\"heat\"\n1\n0.0\n3\n0\n1\n11\n";
    for (int node = 0; node < 11; ++node) { // the last node has none
        how.whole(text, gmsh_number_of(node), true);
        how.real(text, 10 * node);
        how.end_line(text);
    }
    return text + "\n$EndNodeData\n";
}

inline std::string gmsh_values_of_elements(gmsh_format const& how) {
    std::string text = "$ElementData\n1\n\"wind\"\n0\n3\n0\n3\n5\n";
    for (gmsh_element const& each : gmsh_elements()) {
        how.whole(text, each.number, true);
        for (int c = 0; c < 3; ++c) how.real(text, each.number + 0.5 * c);
        how.end_line(text);
    }
    return text + "\n$EndElementData\n";
}

inline std::string gmsh_text(gmsh_format const& how, int bad_node = -1) {
    std::string text = "$Comments\nmade by hand\n$EndComments\n";
    text += "$MeshFormat\n" + how.version() + (how.binary ? " 1" : " 0") + " 8\n";
    if (how.binary) {
        how.raw(text, std::int32_t{1});
        text += '\n';
    }
    text += "$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all of $it\"\n$EndPhysicalNames\n$Nodes\n";
    if (how.old)
        text += "12\n";
    else if (how.first_of_4)
        how.wholes(text, {2, 12}, false);
    else
        how.wholes(text, {2, 12, 1, 100}, false);
    how.end_line(text);
    for (int block = 0; block < 2; ++block) {
        if (!how.old) {
            how.wholes(text, {3, 1 + block, 0}, true);
            how.whole(text, 6, false);
            how.end_line(text);
            for (int i = 0; i < 6 && !how.first_of_4; ++i)
                how.whole(text, gmsh_number_of(6 * block + i), false);
            how.end_line(text);
        }
        for (int node = 6 * block; node < 6 * block + 6; ++node) {
            if (how.old || how.first_of_4) how.whole(text, gmsh_number_of(node), true);
            for (int const at : {node & 1, node >> 1 & 1, node >> 2}) how.real(text, at);
            how.end_line(text);
        }
    }
    text += "\n$EndNodes\n$Elements\n";
    if (how.old)
        text += "5\n";
    else if (how.first_of_4)
        how.wholes(text, {5, 5}, false);
    else
        how.wholes(text, {5, 5, 4, 20}, false);
    how.end_line(text);
    for (gmsh_element const& each : gmsh_elements()) {
        if (how.old && how.binary) how.wholes(text, {each.type, 1, 2}, true);
        if (!how.old) {
            how.wholes(text, {3, 1, each.type}, true);
            how.whole(text, 1, false);
        }
        bool const small = how.old || how.first_of_4;
        how.whole(text, each.number, small);
        if (how.old && !how.binary) how.wholes(text, {each.type, 2}, true);
        if (how.old) how.wholes(text, {1, 1}, true);
        for (int const node : each.nodes)
            how.whole(text, node == bad_node ? 1'000 : gmsh_number_of(node), small);
        how.end_line(text);
    }
    return text + "\n$EndElements\n" + gmsh_values_of_nodes(how) + gmsh_values_of_elements(how);
}

inline std::vector<gmsh_format> all_gmsh_formats() {
    std::vector<gmsh_format> all;
    for (bool const old : {false, true}) {
        all.push_back({old, false, false});
        all.push_back({old, true, false});
        all.push_back({old, true, true});
    }
    for (bool const binary : {false, true}) all.push_back({false, binary, false, true});
    return all;
}

} // namespace weft_test
