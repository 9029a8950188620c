#include <io/formats/numpy_header.hpp>
#include <io/shared_folder.hpp>

#include <weft/core/error.hpp>
#include <weft/io/read_graph.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using weft::edge_list;
using namespace weft_test;

namespace {

std::string npy(std::string const& type, std::string const& shape, std::string const& items,
    bool fortran = false, char version = 1) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                         ", 'shape': " + shape + ", }";
    std::size_t const before = version == 1 ? 10 : 12;
    while ((before + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string length(before - 8, '\0');
    length[0] = static_cast<char>(header.size() & 0xff);
    length[1] = static_cast<char>(header.size() >> 8);
    return std::string(weft::io::numpy_magic) + version + '\0' + length + header + items;
}

/// Rows of numbers as items of a type, in either order of bytes and of indices.
template <class Item>
std::string items_of(std::vector<std::vector<double>> const& rows, bool big, bool fortran) {
    std::string bytes;
    auto const append = [&](double number) {
        auto const item = static_cast<Item>(number);
        std::string text(sizeof item, '\0');
        std::memcpy(text.data(), &item, sizeof item);
        if (big == (std::endian::native == std::endian::little)) std::ranges::reverse(text);
        bytes += text;
    };
    if (!fortran) {
        for (auto const& row : rows)
            for (double const number : row) append(number);
    } else {
        for (std::size_t column = 0; column < rows.at(0).size(); ++column)
            for (auto const& row : rows) append(row[column]);
    }
    return bytes;
}

class numpy_graph : public with_folder {
protected:
    [[nodiscard]] edge_list read(
        std::string const& content, weft::read_options const& options = {.weights = true}) const {
        return weft::read_graph(world(), file("g.npy", content), options);
    }
    [[nodiscard]] std::string complaint(
        std::string const& content, weft::read_options const& options = {.weights = true}) const {
        auto const path = file("g.npy", content);
        try {
            (void)weft::read_graph(world(), path, options);
        } catch (weft::io_error const& caught) {
            std::string const text = caught.what();
            EXPECT_TRUE(text.starts_with(path.string())) << text;
            return text.substr(path.string().size());
        }
        return "nothing was thrown";
    }

    template <class Item>
    void expect_type(std::string const& type) const {
        std::vector<std::vector<double>> const pairs{{1, 2}, {3, 100}, {7, 0}, {5, 5}, {9, 9}};
        std::vector<std::vector<double>> const triples{{1, 2, 4}, {3, 1, 0}, {127, 2, 7}};
        for (bool const big : {false, true})
            for (bool const fortran : {false, true}) {
                SCOPED_TRACE(type + (big ? " big" : " little") + (fortran ? " fortran" : ""));
                std::string const full = (sizeof(Item) == 1 ? "|" : big ? ">" : "<") + type;
                EXPECT_EQ(
                    edges_of_all(read(npy(full, "(5, 2)", items_of<Item>(pairs, big, fortran), fortran))),
                    (std::vector<weighted_edge>{{1, 2, 1}, {3, 100, 1}, {7, 0, 1}, {5, 5, 1}, {9, 9, 1}}));
                edge_list const graph =
                    read(npy(full, "(3, 3)", items_of<Item>(triples, big, fortran), fortran, 2));
                EXPECT_EQ(
                    edges_of_all(graph), (std::vector<weighted_edge>{{1, 2, 4}, {3, 1, 0}, {127, 2, 7}}));
                EXPECT_TRUE(graph.weighted);
                EXPECT_TRUE(graph.directed);
                EXPECT_EQ(graph.naming, weft::vertex_naming::numbers);
                EXPECT_EQ(graph.format, "NumPy array of " + type);
            }
    }
};

TEST_F(numpy_graph, all_types_in_either_order) {
    expect_type<std::int8_t>("i1");
    expect_type<std::int16_t>("i2");
    expect_type<std::int32_t>("i4");
    expect_type<std::int64_t>("i8");
    expect_type<std::uint8_t>("u1");
    expect_type<std::uint16_t>("u2");
    expect_type<std::uint32_t>("u4");
    expect_type<std::uint64_t>("u8");
    expect_type<float>("f4");
    expect_type<double>("f8");
}

TEST_F(numpy_graph, many_rows_over_several_reads) {
    std::mt19937_64 next(3);
    std::vector<std::int64_t> ends(2 * 150'000);
    for (auto& end : ends) end = static_cast<std::int64_t>(next() % 1'000'000) - 500'000;
    std::string const items(reinterpret_cast<char const*>(ends.data()), ends.size() * 8);
    auto const edges = edges_of_all(read(npy("<i8", "(150000, 2)", items)));
    ASSERT_EQ(edges.size(), 150'000u);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        EXPECT_EQ(edges[i].source, ends[2 * i]);
        EXPECT_EQ(edges[i].target, ends[2 * i + 1]);
    }
}

TEST_F(numpy_graph, arrays_without_rows) {
    EXPECT_TRUE(edges_of_all(read(npy("<i4", "(0, 2)", ""))).empty());
    EXPECT_TRUE(edges_of_all(read(npy("<f8", "(0, 3)", "", true))).empty());
}

TEST_F(numpy_graph, complaints) {
    std::string const items = items_of<std::int32_t>({{1, 2}, {3, 4}}, false, false);
    EXPECT_EQ(
        complaint(npy("<i4", "(3, 2)", items)), ": expected 24 bytes of items behind the header, found 16");
    EXPECT_EQ(
        complaint(npy("<i4", "(1, 2)", items)), ": expected 8 bytes of items behind the header, found 16");
    EXPECT_EQ(complaint(npy("<i4", "(4,)", items)),
        ": expected an array of shape (edges, 2) or (edges, 3), found (4)");
    EXPECT_EQ(complaint(npy("<i4", "(1, 4)", items)),
        ": expected an array of shape (edges, 2) or (edges, 3), found (1, 4)");
    EXPECT_EQ(complaint(npy("<i4", "(4611686018427387904, 2)", items)),
        ": expected fewer than 2^63 bytes of items behind the header, found 16");
    EXPECT_EQ(complaint(npy("<c8", "(1, 2)", items)),
        ": expected integers, truth values or floating point of up "
        "to 8 bytes in the header of a NumPy file, found \"<c8\"");
    EXPECT_EQ(
        complaint(npy("|b1", "(8, 2)", items)), ": expected an array of numbers, found one of truth values");
    EXPECT_EQ(complaint("1 2\n"), ": expected a NumPy file, found \"1 2\\x0a\"");
    EXPECT_EQ(complaint(npy("<f8", "(2, 2)", items_of<double>({{1, 2}, {3, 4.5}}, false, false))),
        "[1, 1]: expected a vertex, which is an integer of 64 bits, found 4.500000");
    EXPECT_EQ(complaint(npy("<u8", "(1, 2)", std::string(16, '\xff'))),
        "[0, 0]: expected a vertex, which is an integer of 64 bits, found 18446744073709551615");
    EXPECT_EQ(complaint(npy("<i4", "(2, 3)", items_of<std::int32_t>({{1, 2, 0}, {3, 4, -1}}, false, false)),
                  {.weights = true, .lengths = true}),
        "[1, 2]: expected a weight that is finite and at least 0, found -1");
    EXPECT_EQ(complaint(npy("<i4", "(2, 2)", items), {.columns = {"a", "b"}}),
        ": expected a CSV file where columns are asked for, found NumPy's");
}

TEST_F(numpy_graph, cut_or_mutated_files_are_read_whole_or_refused) {
    std::string const whole =
        npy("<i4", "(3, 2)", items_of<std::int32_t>({{1, 2}, {3, 4}, {5, 6}}, false, false));
    for (std::size_t left = 0; left < whole.size(); left += 5)
        EXPECT_NE(complaint(whole.substr(0, left)), "nothing was thrown") << left;
    std::mt19937_64 next(4);
    for (int round = 0; round < 100; ++round) {
        std::string text = whole;
        for (std::uint64_t changes = 1 + next() % 3; changes > 0; --changes)
            text[next() % (next() % 2 == 0 ? 20 : text.size())] = static_cast<char>(next());
        try {
            // Whatever was changed, what is read has the edges that its header declares.
            auto const graph = read(text);
            EXPECT_LE(edges_of_all(graph).size(), 12u);
        } catch (weft::io_error const&) {}
    }
}

} // namespace
