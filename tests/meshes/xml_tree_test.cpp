#include <meshes/xml_tree.hpp>

#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>

#include <string>

using namespace weft;
using namespace weft_test;

namespace {

class xml_tree : public with_folder {};

TEST_F(xml_tree, has_elements_attributes_texts_and_lines) {
    xml_element const root = read_xml(file("a.xml", "<a one='1' two=\"&lt;2\">x<b/>\n<b c='d'>y</b>z</a>"));
    EXPECT_EQ(root.name, "a");
    EXPECT_EQ(root.attribute("two"), "<2");
    EXPECT_EQ(root.attribute("three"), "");
    EXPECT_EQ(root.text, "x\nz");
    ASSERT_EQ(root.all("b").size(), 2U);
    EXPECT_EQ(root.all("b")[1]->attribute("c"), "d");
    EXPECT_EQ(root.all("b")[1]->text, "y");
    EXPECT_EQ(root.all("b")[1]->line, 2);
    EXPECT_TRUE(root.all("c").empty());
}

TEST_F(xml_tree, refuses_what_is_not_well_formed_or_nested_without_end) {
    std::string deep;
    for (int i = 0; i < 200; ++i) deep += "<a>";
    for (std::string const& text :
        {std::string(), std::string("<a>\n<b></a>"), std::string("<a/><b/>"), deep})
        EXPECT_THROW((void)read_xml(file("bad.xml", text)), io_error);
    EXPECT_THROW((void)read_xml(path("none.xml")), io_error);
}

} // namespace
