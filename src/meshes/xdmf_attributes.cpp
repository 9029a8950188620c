#include <meshes/xdmf_attributes.hpp>

#include <weft/core/error.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace weft {

namespace {

/// An element, with the elements and attributes that it may have.
struct known_element {
    std::string_view name;
    std::vector<std::string_view> children;
    std::vector<std::string_view> attributes;
};

std::vector<known_element> const& known_elements() {
    // Name, Version and Rank do not affect numbers; the number of values implies AttributeType.
    static std::vector<known_element> const known = {
        {"Xdmf", {"Domain", "Information"}, {"Version"}},
        {"Domain", {"Grid", "DataItem", "Information"}, {}},
        {"Grid", {"Grid", "Topology", "Geometry", "Attribute", "Time", "Information", "Set"},
            {"GridType", "CollectionType"}},
        {"Topology", {"DataItem", "Information"},
            {"TopologyType", "Type", "NumberOfElements", "Dimensions", "NodesPerElement", "BaseOffset",
                "Order"}},
        {"Geometry", {"DataItem", "Information"}, {"GeometryType", "Type"}},
        {"Attribute", {"DataItem", "Information"}, {"AttributeType", "Type", "Center"}},
        {"DataItem", {"Information"},
            {"ItemType", "Dimensions", "NumberType", "DataType", "Type", "Precision", "Format", "Endian",
                "Seek", "Compression", "Rank"}},
    };
    return known;
}

class attribute_critic {
public:
    explicit attribute_critic(std::string const& file) : file_(file) {}

    void check(xml_element const& element) const {
        auto const& known = known_elements();
        auto const found = std::ranges::find(known, element.name, &known_element::name);
        if (found == known.end()) return; // Time, Information and sets do not affect numbers
        for (auto const& [name, value] : element.attributes) {
            if (name == "Name" || name.starts_with("xmlns") || name.starts_with("xml:")) continue;
            if (name == "Reference")
                fail(element, "refers to another element (" + name + "), which is not read; expected the " +
                                  element.name + " itself");
            if (std::ranges::find(found->attributes, name) == found->attributes.end())
                fail(element,
                    "has the attribute " + name + "=\"" + value.substr(0, 40) +
                        "\", which weft does not know and so cannot heed; leave it out if it changes "
                        "nothing");
        }
        for (xml_element const& child : element.children) {
            if (std::ranges::find(found->children, child.name) == found->children.end())
                fail(child, "in " + element.name + " is not read; expected the elements themselves");
            check(child);
        }
        check_values(element);
    }

private:
    /// Checks attributes of which only some values are supported.
    void check_values(xml_element const& element) const {
        auto const refuse_unless = [&](char const* name, std::vector<std::string_view> const& values) {
            std::string_view const value = element.attribute(name);
            if (!value.empty() && std::ranges::find(values, value) == values.end())
                fail(element, std::string("has ") + name + "=\"" + std::string(value.substr(0, 40)) +
                                  "\", which is not read; known are " + joined(values));
        };
        refuse_unless("Compression", {"Raw", "None"});
        refuse_unless("Endian", {"Little", "Big", "Native", "little", "big", "native"});
        std::string_view const order = element.attribute("Order");
        std::int64_t place = 0;
        for (std::size_t at = 0; (at = order.find_first_not_of(" \t\n", at)) != order.npos; ++place) {
            std::size_t const end = std::min(order.find_first_of(" \t\n", at), order.size());
            if (order.substr(at, end - at) != std::to_string(place))
                fail(element, "has the corners of its cells in the order " +
                                  std::string(order.substr(0, 40)) +
                                  "; expected XDMF's own order, without the attribute Order");
            at = end;
        }
    }

    [[nodiscard]] static std::string joined(std::vector<std::string_view> const& values) {
        std::string text;
        for (std::string_view const each : values) (text += text.empty() ? "" : ", ") += each;
        return text;
    }

    [[noreturn]] void fail(xml_element const& at, std::string const& text) const {
        throw io_error(file_ + ":" + std::to_string(at.line) + ": the element " + at.name + " " + text);
    }

    std::string const& file_;
};

} // namespace

void check_xdmf_attributes(std::string const& file, xml_element const& root) {
    attribute_critic(file).check(root);
}

} // namespace weft
